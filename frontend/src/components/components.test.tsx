import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'

import { DataTable, ErrorState } from '@/components/page'
import { Button, Input, ProgressBar, TriggeredDialog } from '@/components/ui'
import { countVerdict, useModelJudgeHint } from '@/hooks/rulesVerdicts'
import { changeLanguage } from '@/lib/language'
import { ApiError } from '@/lib/problem'
import { renderInApp } from '@/testing/render'

import { ConfidenceBadge } from './ConfidenceBadge'
import { ModelJudgeHint } from './ModelJudgeHint'
import { QualityBadge } from './QualityBadge'

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

it.each([
  ['high', '높은 신뢰도', 'bg-success-soft', 'lucide-shield-check'],
  ['medium', '보통 신뢰도', 'bg-warning-soft', 'lucide-triangle-alert'],
  ['low', '낮은 신뢰도', 'bg-danger-soft', 'lucide-octagon-alert'],
] as const)('ConfidenceBadge %s', (confidence, text, colour, icon) => {
  renderInApp(<ConfidenceBadge found={{ confidence, outcome: null }} voice="model" />)
  const badge = screen.getByText(text)
  expect(badge).toHaveClass(colour)
  expect(badge.querySelector('svg')).toHaveClass(icon)
})

it.each([
  ['rules', { outcome: 'matches' }, '노트와 일치', 'Matches the notes', 'border-success'],
  ['rules', { outcome: 'mismatch' }, '노트와 어긋남', 'Differs from the notes', 'border-danger'],
  [
    'rules',
    { outcome: 'undecided' },
    '규칙으로는 판단할 수 없음',
    'Rules cannot tell',
    'border-input',
  ],
  ['rules', {}, '규칙으로는 판단할 수 없음', 'Rules cannot tell', 'border-input'],
  [
    'rules',
    { outcome: 'rightly_refused' },
    '노트에 없다고 바르게 답함',
    /^Rightly says/,
    'border-input',
  ],
  [
    'local',
    { confidence: 'high' },
    '로컬 모델: 근거 있음',
    'Local model: supported',
    'border-input',
  ],
  ['local', { confidence: 'medium' }, /일부 확인 필요/, /check some parts/, 'border-warning'],
  ['local', { confidence: 'low' }, '로컬 모델: 근거 부족', /weakly supported/, 'border-danger'],
  [
    'degraded',
    { outcome: 'matches' },
    /^모델 평가 실패.*일치/,
    /^Model failed.*matches/,
    'border-success',
  ],
  [
    'degraded',
    { outcome: 'undecided' },
    /^모델 평가 실패.*없음/,
    /^Model failed.*cannot/,
    'border-input',
  ],
  [
    'degraded',
    { outcome: 'falsely_refused' },
    /^모델 평가 실패.*없다고 답함/,
    /^Model failed.*wrongly/,
    'border-danger',
  ],
] as const)('%s with %j has words and a shape of its own', async (voice, part, ko, en, look) => {
  const found = { confidence: 'medium', outcome: null, ...part } as const
  const { unmount } = renderInApp(<ConfidenceBadge found={found} voice={voice} />)
  const badge = screen.getByText(ko)
  const icons = { rules: 'lucide-ruler', local: 'lucide-cpu', degraded: 'lucide-unplug' }
  expect(badge.querySelector('svg')).toHaveClass(icons[voice])
  expect(badge).toHaveClass('rounded-md', 'border', look)
  expect(badge.className).not.toMatch(/soft|rounded-full/)
  expect(badge).not.toHaveTextContent('신뢰도')
  expect(badge.classList.contains('border-dashed')).toBe(voice === 'degraded')
  unmount()
  await changeLanguage('en')
  renderInApp(<ConfidenceBadge found={found} voice={voice} />)
  expect(screen.getByText(en)).toBeVisible()
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
    { header: '노트', cell: (row: { title: string }) => row.title },
    { header: '인용', cell: () => 3, numeric: true },
  ]
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
