import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'

import { DataTable, ErrorState } from '@/components/page'
import { Button, Input, ProgressBar, TriggeredDialog } from '@/components/ui'
import { countVerdict, useModelJudgeHint } from '@/hooks/rulesVerdicts'
import { changeLanguage } from '@/lib/language'
import { ApiError } from '@/lib/problem'
import { renderInApp } from '@/testing/render'

import { ModelJudgeHint } from './AIChat'
import { StateBadge } from './StateBadge'
import { QualityBadge } from './verdict/VerdictStatus'

describe('ErrorState', () => {
  const problem = { type: 'urn:searchqa:problem:x', title: '', status: 422, detail: '잘못된 요청' }

  it('shows what the API says, and asks again', async () => {
    const onRetry = vi.fn()
    const { user } = renderInApp(<ErrorState error={new ApiError(problem)} onRetry={onRetry} />)
    expect(screen.getByRole('alert')).toHaveTextContent('잘못된 요청')
    await user.click(screen.getByRole('button', { name: '다시 시도' }))
    expect(onRetry).toHaveBeenCalledOnce()
  })

  it.each([
    [new TypeError('fetch failed'), /서버에 연결할 수 없습니다/],
    [new ApiError({ ...problem, status: 502, detail: '' }), /상태 502/],
    [new Error('secret'), /예상하지 못한 오류/],
  ])('has a sentence for %s', (error, sentence) => {
    renderInApp(<ErrorState error={error} />)
    expect(screen.getByRole('alert')).toHaveTextContent(sentence)
  })
})

const STATES = [
  ['confirmed', null, '노트로 확인됨', 'Confirmed by the notes', 'success'],
  ['incomplete', null, /부족한 답변/, /but incomplete/, 'warning'],
  ['off_topic', null, /질문에 맞지 않는/, /but does not answer the question/, 'warning'],
  ['partly', null, '일부만 노트로 확인됨', 'Partly confirmed by the notes', 'warning'],
  ['contradicted', null, '노트와 다름', 'Contradicted by the notes', 'danger'],
  ['not_in_notes', null, '노트에 없는 내용', 'Not in the notes', 'danger'],
  ['rightly_refused', 'rightly_refused', /바르게 답함/, /^Rightly says/, null],
  ['falsely_refused', 'falsely_refused', /있는데 없다고/, /^Wrongly says/, 'danger'],
  ['not_judged', 'undecided', /규칙으로는 판단할 수 없음/, /rules cannot tell/, null],
  ['not_judged', null, /확인할 내용이 없음/, /nothing to check/, null],
] as const
const VOICES = [
  ['model', null, null, /shield-check|alert/],
  ['local', '로컬 모델 평가', 'by a local model', 'lucide-cpu'],
  ['rules', '규칙 평가', 'by rules', 'lucide-ruler'],
  ['degraded', /모델 평가 실패/, /because the model failed/, 'lucide-unplug'],
] as const

describe.each(VOICES)('a verdict by %s', (voice, byKo, byEn, icon) => {
  it.each(STATES)('that says %s, %s, has one word', async (state, outcome, ko, en, tone) => {
    const verdict = { state, outcome, confidence: 'medium' } as const
    const { unmount } = renderInApp(<StateBadge verdict={verdict} voice={voice} />)
    const badge = screen.getByText(ko)
    expect(badge.querySelector('svg')?.getAttribute('class')).toMatch(icon)
    // Only a model fills its badge, and only a model's doubt is amber.
    const filled = voice === 'model' && tone ? `bg-${tone}-soft` : null
    expect(/bg-(?!card|transparent)[\w-]+/.exec(badge.className)?.[0] ?? null).toBe(filled)
    expect(badge).not.toHaveClass('border-warning')
    expect(badge.classList.contains('border-dashed')).toBe(voice === 'degraded')
    const isNamed = voice !== 'rules' || state !== 'not_judged'
    if (byKo && isNamed) expect(screen.getByText(byKo)).toBeVisible()
    // A refusal has no confidence, nor has what was not judged.
    const sure = voice === 'model' && !outcome && state !== 'not_judged'
    expect(Boolean(screen.queryByText('보통 신뢰도'))).toBe(sure)
    unmount()
    await changeLanguage('en')
    renderInApp(<StateBadge verdict={verdict} voice={voice} />)
    expect(screen.getByText(en)).toBeVisible()
    if (byEn && isNamed) expect(screen.getByText(byEn)).toBeVisible()
  })
})

it.each([
  [{ passed: true, met: 3, items: 4, source: 'judge' }, '체크리스트 통과 3/4', 'bg-success-soft'],
  [{ passed: false, met: 2, items: 4, source: 'judge' }, '체크리스트 미달 2/4', 'bg-warning-soft'],
  [{ passed: true, met: 4, items: 4, source: 'rules' }, '규칙 체크리스트 통과 4/4', 'border-input'],
  [
    { passed: false, met: 0, items: 4, source: 'rules' },
    '규칙 체크리스트 미달 0/4',
    'border-input',
  ],
] as const)('QualityBadge %j', (quality, text, look) => {
  renderInApp(<QualityBadge quality={quality} />)
  expect(screen.getByText(text)).toHaveClass(look)
})

it('DataTable has a caption and names its rows', () => {
  const columns = [
    ['노트', (row: { title: string }) => row.title],
    ['인용', () => 3, 'numeric'],
  ] as const
  renderInApp(
    <DataTable
      caption="인용된 노트"
      columns={columns}
      rows={[{ title: 'PCR' }]}
      rowKey={(row) => row.title}
    />,
  )
  expect(screen.getByRole('table', { name: '인용된 노트' })).toBeVisible()
  expect(screen.getByRole('rowheader', { name: 'PCR' })).toBeVisible()
  expect(screen.getByRole('columnheader', { name: '인용' })).toHaveClass('text-right')
})

it('Dialog opens, is named, and gives the focus back', async () => {
  const { user } = renderInApp(
    <TriggeredDialog
      trigger={<Button>삭제</Button>}
      title="노트를 삭제할까요?"
      description="되돌릴 수 없습니다."
    >
      {null}
    </TriggeredDialog>,
  )
  await user.click(screen.getByRole('button', { name: '삭제' }))
  expect(screen.getByRole('dialog', { name: '노트를 삭제할까요?' })).toHaveAccessibleDescription(
    '되돌릴 수 없습니다.',
  )
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('button', { name: '삭제' })).toHaveFocus()
})

it('Input has its label, and its error as description', () => {
  renderInApp(<Input label="이름" error="비어 있습니다" />)
  const field = screen.getByRole('textbox', { name: '이름' })
  expect(field).toBeInvalid()
  expect(field).toHaveAccessibleDescription('비어 있습니다')
})

it('ProgressBar keeps to 0 to 100 %', () => {
  renderInApp(<ProgressBar label="정확성" value={1.2} tone="success" />)
  expect(screen.getByRole('progressbar', { name: '정확성' })).toHaveAttribute(
    'aria-valuenow',
    '100',
  )
})

it('says once how a model judges, after five verdicts by rules in a row', async () => {
  localStorage.removeItem('searchqa.rulesVerdicts')
  const shown = () => screen.queryByText(/SEARCHQA_JUDGE_MODEL=openai:gpt-6-luna searchqa up/)
  const { user } = renderInApp(<ModelJudgeHint />)
  const count = (...ids: string[]) => {
    act(() => {
      for (const id of ids) countVerdict(id, true)
    })
  }
  count('1', '2', '3', '4', '4')
  countVerdict('5', false)
  count('6', '7', '8', '9')
  expect(shown()).toBeNull()
  count('10')
  expect(shown()).toBeVisible()
  await user.click(screen.getByRole('button', { name: '닫기' }))
  count('11', '12', '13', '14', '15')
  expect(shown()).toBeNull()
  expect(useModelJudgeHint.getState().due).toBe(false)
})
