import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'

import type { Claim } from '@/components/verdict/ClaimList'
import { renderInApp } from '@/testing/render'

import { AnswerMarkdown } from './AnswerMarkdown'
import { sourceOffsets, utf16Offset } from './offsets'

/** A claim at the stretch of `answer` that reads `text`, its offsets as Python counts them. */
function claimOn(answer: string, text: string, verdict: Claim['verdict'] = 'unsupported'): Claim {
  const start = Array.from(answer.slice(0, answer.indexOf(text))).length
  const end = start + Array.from(text).length
  const rest = {
    position: 0,
    note_index: null,
    quote: '',
    quote_found: null,
    reasoning: '노트에 없습니다.',
  }
  return { claim: text, verdict, start, end, ...rest }
}

function show(text: string, claims: Claim[] = [], noteCount = 3) {
  const onOpenNote = vi.fn()
  const view = renderInApp(
    <AnswerMarkdown text={text} claims={claims} noteCount={noteCount} onOpenNote={onOpenNote} />,
  )
  const underlined = () => [...view.container.querySelectorAll('mark')].map((m) => m.textContent)
  return { ...view, onOpenNote, underlined }
}

it('marks of redacted values say what they were, within a claim too', () => {
  const answer = '메일은 [email 48213]로, [email x]나 [code 12345]는 그대로.'
  const { container } = show(answer, [claimOn(answer, '[email 48213]로,')])
  expect(screen.getByTitle(/개인정보/)).toHaveTextContent('이메일 48213')
  expect(container).toHaveTextContent('메일은 이메일 48213로, [email x]나 [code 12345]는 그대로.')
})

describe('marks of notes', () => {
  it('open the note, one by one where a mark names several', async () => {
    const { user, onOpenNote } = show('가 [노트 1] 나 [Note 2], 다 [노트 1, 노트 3].')
    const marks = screen.getAllByRole('button')
    expect(marks.map((mark) => mark.textContent)).toEqual(['[노트 1]', '[Note 2]', '1', '3'])
    for (const mark of marks) await user.click(mark)
    expect(onOpenNote.mock.calls).toEqual([[1], [2], [1], [3]])
  })

  it('stay text where there is no such note, and in links', () => {
    const { container } = show('[노트 4] [0] [가](https://example.org/[1])', [], 3)
    expect(screen.queryByRole('button')).toBeNull()
    expect(container).toHaveTextContent('[노트 4] [0]')
  })

  it('are no definitions at the start of a line', () => {
    const { container } = show('가 [노트 1].\n\n[노트 1]: https://evil.example')
    expect(screen.getAllByRole('button', { name: '노트 1 열기' })).toHaveLength(2)
    expect(container).toHaveTextContent('https://evil.example')
  })
})

describe('claims', () => {
  it('are underlined after emoji, Korean and Markdown', () => {
    const answer = '👩‍🔬🧪 **변성은 95도**입니다. 늘 *72도*라고 \\*합니다\\* [노트 2]. 끝.'
    const { underlined } = show(answer, [claimOn(answer, '늘 *72도*라고 \\*합니다\\* [노트 2].')])
    expect(underlined().join('')).toBe('늘 72도라고 *합니다* [노트 2].')
  })

  it('are found in lists, tables and code, and behind entities', () => {
    const answer = '- 가 &amp; 나 &lt;다&gt;\n- 라 `코드` 마\n\n| 온도 |\n|---|\n| 72도 |'
    const claims = ['나 &lt;다', '라 `코드` 마', '72도'].map((text) => claimOn(answer, text))
    expect(show(answer, claims).underlined().join('|')).toBe('나 <다|라 |코드| 마|72도')
  })

  it('go on through links, which hold no buttons', () => {
    const answer = '가 [나 [노트 1]](https://example.org) 다.'
    const { underlined } = show(answer, [claimOn(answer, answer)])
    expect(underlined().join('')).toBe('가 나 [노트 1] 다.')
    expect(screen.queryByRole('button', { name: '노트 1 열기' })).toBeNull()
  })

  it('are not when the notes bear them out, nor when they stand nowhere', () => {
    const answer = '가는 나다. 다는 라다.'
    const nowhere = { ...claimOn(answer, '다는'), start: null, end: null }
    expect(
      show(answer, [claimOn(answer, '가는 나다.', 'supported'), nowhere]).underlined(),
    ).toEqual([])
  })

  it('give way to sentences, which are marked all alike and give no reason', () => {
    const answer = '🧪 가는 나다. 다는 **라**다 [노트 1].'
    const sentences = [
      { start: 0, end: 8 },
      { start: 9, end: Array.from(answer).length },
    ]
    const { container } = renderInApp(
      <AnswerMarkdown text={answer} noteCount={1} claims={[]} sentences={sentences} />,
    )
    const marks = [...container.querySelectorAll('mark')]
    expect(marks.map((mark) => mark.textContent).join('|')).toBe(
      '🧪 가는 나다.|다는 |라|다 [노트 1].',
    )
    expect(new Set(marks.map((mark) => mark.className)).size).toBe(1)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('tell the reason on hover', async () => {
    const answer = '가는 나다.'
    const { user, container } = show(answer, [claimOn(answer, answer)])
    const mark = container.querySelector('mark')
    if (mark) await user.hover(mark)
    expect(await screen.findByRole('tooltip')).toHaveTextContent('노트에 없습니다.')
  })

  it('tell the reason to the keyboard, once a claim', async () => {
    const answer = '가는 **나**다.'
    const { user } = show(answer, [claimOn(answer, answer)])
    await user.tab()
    expect(screen.getByRole('button', { name: /근거 없음: 가는 .*이유 보기/ })).toHaveFocus()
    await user.keyboard('{Enter}')
    const bubble = await screen.findByRole('dialog', { name: '근거 없음' })
    expect(within(bubble).getByText('노트에 없습니다.')).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('what an answer may not do', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload="alert(1)"><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<button data-note="1" onclick="alert(1)">x</button>',
    '<!-- x --> <style>*{display:none}</style>',
    '<details open ontoggle=alert(1)>\n\n**x**\n\n</details>',
  ])('%s is shown as text', (html) => {
    const { container } = show(html)
    const found = container.querySelectorAll('script,img,svg,iframe,button,style,details,a')
    expect(found).toHaveLength(0)
    expect(container.textContent).toContain('<')
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#115;cript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    '//evil.example/x',
    'file:///etc/passwd',
  ])('%s is no link', (url) => {
    const { container } = show(`[보기](<${url}>) <${url}>`)
    expect(container.querySelector('a[href]')).toBeNull()
  })

  it('loads no pictures, and links lead to the web', () => {
    const { container } = show('![그림](https://evil.example/t.png) [문서](https://example.org/)')
    expect(container.querySelector('img')).toBeNull()
    expect(screen.getByRole('link', { name: '문서' })).toHaveAttribute('rel', 'noreferrer')
    expect(container).toHaveTextContent('그림')
  })
})

describe('offsets', () => {
  it('turn code points into UTF-16', () => {
    expect(utf16Offset('🧪가👩‍🔬나', 0)).toBe(0)
    expect(utf16Offset('🧪가👩‍🔬나', 1)).toBe(2)
    expect(utf16Offset('🧪가👩‍🔬나', 5)).toBe(8)
    expect(utf16Offset('가', 9)).toBe(1)
  })

  it('follow what Markdown leaves out', () => {
    expect(sourceOffsets('a*b', 'a\\*b', 0)).toEqual([0, 2, 3, 4])
    expect(sourceOffsets('&c', '&amp;c', 0)).toEqual([0, 5, 6])
    expect(sourceOffsets('😀!', '&#x1F600;!', 0)).toEqual([0, 0, 9, 10])
  })
})
