import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Schema } from '@/lib/api'
import { evaluation, JUDGED } from '@/testing/evaluation'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import { RENEW_MS } from './LabelPage'

type Body = Schema<'ReservationCreate'> & { held: string[]; count: number }
type Said = Schema<'FeedbackCreate'>

function item(number: number): Schema<'LabelItem'> {
  return {
    evaluation_id: `e${number}`,
    answer_id: `a${number}`,
    number,
    question: `질문 ${number}`,
    answer: '95도입니다 [노트 1]. 99도라고도 합니다.',
    lang: 'ko',
    sentences: [
      { start: 0, end: 14 },
      { start: 15, end: 26 },
    ],
    notes: [{ note_index: 1, note_id: null, title: 'PCR 조건', content: '변성: 95도, 30초' }],
    reasons: null,
  }
}

const CLAIM = {
  ...{ position: 1, claim: '99도라고도 합니다.', verdict: 'unsupported', note_index: null },
  ...{ quote: '', quote_found: null, start: 15, end: 26, reasoning: '노트에는 95도입니다' },
} as const

/** The API with three answers: what was asked of it, and the labels it has. */
let asked: Body[]
let read: string[]
let labels: Map<string, Said>
let released: string[]
let stores: number
/** Of the calls that come next. */
let failures: number

beforeAll(async () => {
  await import('./LabelPage')
})
beforeEach(() => {
  asked = []
  read = []
  labels = new Map()
  released = []
  stores = 0
  failures = 0
  const refused = () => {
    if (failures === 0) return null
    failures--
    const problem = { type: 'x', title: '', status: 503, detail: '데이터베이스가 없습니다.' }
    return HttpResponse.json(problem, { status: 503 })
  }
  server.use(
    http.post('/review/reservations', async ({ request }) => {
      const body = (await request.json()) as Body
      asked.push(body)
      const left = [1, 2, 3].filter((number) => !labels.has(`e${number}`))
      const free = left.filter((number) => !body.held.includes(`a${number}`))
      return HttpResponse.json({
        author: body.author ?? 'browser session',
        items: free.slice(0, body.count).map(item),
        remaining: left.length,
        drawn: body.source === 'drawn' ? 3 : null,
      })
    }),
    http.delete('/review/reservations', ({ request }) => {
      released.push(new URL(request.url).searchParams.get('holder') ?? '')
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/qa-evaluations/:id/feedback', async ({ request, params }) => {
      const no = refused()
      if (no) return no
      const id = String(params.id)
      stores++
      labels.set(id, (await request.json()) as Said)
      return HttpResponse.json({ id: `f-${id}` })
    }),
    http.delete('/qa-evaluations/:id/feedback/:label', ({ params }) => {
      const no = refused()
      if (no) return no
      expect(params.label).toBe(`f-${String(params.id)}`)
      labels.delete(String(params.id))
      return new HttpResponse(null, { status: 204 })
    }),
    http.get('/qa-evaluations/:id', ({ params }) => {
      read.push(String(params.id))
      return HttpResponse.json(
        evaluation({
          ...{ id: String(params.id), status: 'succeeded', judged_by: 'model' },
          qa_evaluation: JUDGED,
          feedback: {
            groundedness: { source: 'judge', groundedness: 0, claims: [CLAIM], fallback: null },
          } as never,
        }),
      )
    }),
  )
})

async function open(path = '/label') {
  const view = renderApp(path)
  await screen.findByRole('heading', { name: '질문 1' })
  return view
}

const shown = (number: number) => screen.findByRole('heading', { name: `질문 ${number}` })
const stored = () => Object.fromEntries([...labels].map(([id, { label }]) => [id, label]))
const labelsAre = (expected: Record<string, string>) =>
  waitFor(() => {
    expect(stored()).toEqual(expected)
  })

describe('keys', () => {
  it('label, go on and back', async () => {
    const { user } = await open()
    expect(screen.getByText('3개 중 1번째')).toBeVisible()
    await user.keyboard('1j2j3')
    await labelsAre({ e1: 'right', e2: 'partly', e3: 'wrong' })
    expect(screen.getByText('3개 중 3번째')).toBeVisible()
    await user.keyboard('kk3')
    await shown(1)
    await labelsAre({ e1: 'wrong', e2: 'partly', e3: 'wrong' })
    const labelled = screen.getByRole('group', { name: '답변 전체에 대한 라벨' })
    expect(within(labelled).getByRole('button', { name: '틀림' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
  })

  it('work where the keyboard is switched to Korean', async () => {
    const { user } = await open()
    await user.keyboard('1')
    act(() => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ㅓ', code: 'KeyJ' }))
    })
    await shown(2)
    act(() => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Process', code: 'KeyU' }))
    })
    await labelsAre({})
  })

  it('undo the last label on the server, also after the last answer', async () => {
    const { user } = await open()
    await user.keyboard('1j2j3j')
    expect(await screen.findByText('추출한 답변 3개에 모두 라벨이 있습니다.')).toBeVisible()
    expect(screen.getByText('답변 3개에 라벨을 붙였습니다')).toBeVisible()
    await user.keyboard('u')
    await shown(3)
    await labelsAre({ e1: 'right', e2: 'partly' })
    expect(screen.getByText('마지막 라벨을 취소했습니다.')).toBeInTheDocument()
    await user.keyboard('uuu')
    await shown(1)
    await labelsAre({})
  })

  it('do nothing in a field, with a modifier, held down, or switched off', async () => {
    const { user } = await open()
    await user.keyboard('c123j{Escape}')
    await user.keyboard('{Control>}1{/Control}{Alt>}j{/Alt}{Meta>}2{/Meta}{Shift>}j{/Shift}')
    act(() => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: '1', repeat: true }))
    })
    await user.click(screen.getByText(/· 라벨을 붙이는 사람:/))
    await user.click(screen.getByRole('checkbox', { name: /단축키 사용/ }))
    await user.keyboard('1j')
    await shown(1)
    expect(labels.size).toBe(0)
    await user.click(screen.getByRole('checkbox', { name: /단축키 사용/ }))
    await user.keyboard('1')
    await labelsAre({ e1: 'right' })
    expect(labels.get('e1')?.comment).toBe('123j')
  })

  it('undo the label that was given last, also where it is not the first of its answer', async () => {
    const { user } = await open()
    await user.keyboard('1j2k3')
    await labelsAre({ e1: 'wrong', e2: 'partly' })
    await user.keyboard('u')
    await shown(1)
    await labelsAre({ e2: 'partly' })
  })

  it('are the same with Caps Lock', async () => {
    const { user } = await open()
    await user.keyboard('J')
    await shown(2)
  })

  it('say whether the answer is useful, and are explained', async () => {
    const { user } = await open()
    await user.keyboard('6?')
    expect(await screen.findByText('유용함, 조금 유용함, 쓸모없음')).toBeVisible()
    await user.keyboard('{Escape}')
    expect(await screen.findByText('라벨을 붙이면 함께 저장됩니다.')).toBeVisible()
    await user.keyboard('3')
    await waitFor(() => {
      expect(labels.get('e1')).toEqual({ label: 'wrong', utility_label: 'useless', author: null })
    })
  })

  it('have buttons that do the same', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: '틀림' }))
    await user.click(screen.getByRole('button', { name: '다음' }))
    await shown(2)
    await user.click(screen.getByRole('button', { name: '이전' }))
    await shown(1)
    await labelsAre({ e1: 'wrong' })
    await user.click(screen.getByRole('button', { name: '취소' }))
    await labelsAre({})
    expect(screen.getByRole('button', { name: '취소' })).toBeDisabled()
  })
})

describe('the next answer', () => {
  it('is loaded before it is asked for', async () => {
    const { user } = await open()
    expect(asked.map(({ held, count }) => [held, count])).toEqual([[[], 3]])
    await user.keyboard('j')
    expect(screen.getByRole('heading', { name: '질문 2' })).toBeVisible()
    await waitFor(() => {
      expect(asked.at(-1)?.held).toEqual(['a1', 'a2', 'a3'])
    })
  })

  it('is said to be open elsewhere where some are left', async () => {
    const { user } = await open()
    await user.keyboard('j1j1j')
    expect(await screen.findByText(/남은 1개는 건너뛰었거나/)).toBeVisible()
    await labelsAre({ e2: 'right', e3: 'right' })
  })

  it('is shown from its beginning, however far one has read', async () => {
    const { user } = await open()
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -900))
    await user.keyboard('j')
    await shown(2)
    expect(scrolled).toHaveBeenLastCalledWith({ block: 'start' })
  })

  it('is renewed only once those on their way are held', async () => {
    const intervals = vi.spyOn(window, 'setInterval')
    const give = new AbortController()
    const waits = new Promise((resolve) => {
      give.signal.addEventListener('abort', resolve)
    })
    server.use(
      http.post('/review/reservations', async ({ request }) => {
        await request.clone().text()
        await waits
      }),
    )
    renderApp('/label')
    const renew = await waitFor(() => {
      const started = intervals.mock.calls.find(([, delay]) => delay === RENEW_MS)
      expect(started).toBeDefined()
      return started?.[0]
    })
    ;(renew as () => void)()
    give.abort()
    await waitFor(() => {
      expect(asked.map(({ held, count }) => [held, count])).toEqual([
        [[], 3],
        [['a1', 'a2', 'a3'], 0],
      ])
    })
  })

  it('is released when the page is left', async () => {
    const { router } = await open()
    await act(() => router.navigate('/label?again=yes'))
    await waitFor(() => {
      expect(released).toEqual([asked[0]?.holder])
    })
    expect(asked.at(-1)).toMatchObject({ again: true, source: 'drawn' })
  })
})

describe('the verdict', () => {
  it('is not asked for before one has decided, nor told by the marks', async () => {
    const { user, container } = await open()
    await waitFor(() => {
      expect(container.querySelectorAll('mark')).toHaveLength(2)
    })
    const marks = [...container.querySelectorAll('mark')]
    expect(marks.map(({ textContent }) => textContent)).toEqual([
      '95도입니다 [노트 1].',
      '99도라고도 합니다.',
    ])
    expect(new Set(marks.map(({ className }) => className)).size).toBe(1)
    expect(read).toEqual([])

    await user.keyboard('1')
    const verdict = await screen.findByRole('region', { name: '평가 결과' })
    await user.click(within(verdict).getByText('평가 자세히 보기'))
    expect(within(verdict).getByText('99도라고도 합니다.')).toBeVisible()
    expect(container.querySelectorAll('mark')).toHaveLength(1)
    await user.keyboard('u')
    await waitFor(() => {
      expect(screen.queryByRole('region', { name: '평가 결과' })).toBeNull()
    })
    await user.keyboard('j')
    await shown(2)
    expect(read).toEqual(['e1'])
  })

  it('is shown at once to whoever wants that, which is remembered', async () => {
    const { user, unmount } = await open()
    await user.click(screen.getByText(/· 라벨을 붙이는 사람:/))
    await user.click(screen.getByRole('checkbox', { name: /평가 숨기기/ }))
    expect(await screen.findByRole('region', { name: '평가 결과' })).toBeVisible()
    unmount()
    await open()
    expect(await screen.findByRole('region', { name: '평가 결과' })).toBeVisible()
  })
})

describe('a comment', () => {
  const comment = () => screen.getByRole('textbox', { name: /메모 쓰기/ })

  it('that is being typed keeps the window from closing, and is stored when the page is left', async () => {
    const { user, router } = await open()
    await user.keyboard('1')
    await labelsAre({ e1: 'right' })
    await user.type(comment(), '72도는 없음')
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)
    await act(() => router.navigate('/label?source=doubtful'))
    await waitFor(() => {
      expect(labels.get('e1')?.comment).toBe('72도는 없음')
    })
  })

  it('is stored when one has finished it, not letter by letter', async () => {
    const { user } = await open()
    await user.keyboard('1')
    await labelsAre({ e1: 'right' })
    const before = stores
    await user.type(comment(), '72도는 없음{Escape}')
    await waitFor(() => {
      expect(labels.get('e1')?.comment).toBe('72도는 없음')
    })
    expect(stores).toBe(before + 1)
  })
})

describe('what cannot be stored', () => {
  it('is said, kept and tried again', async () => {
    const { user } = await open()
    failures = 2
    await user.keyboard('1j2')
    const alert = await screen.findByText('라벨 2개가 서버에 반영되지 않았습니다.')
    expect(alert.parentElement).toHaveTextContent('데이터베이스가 없습니다.')
    expect(labels.size).toBe(0)
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)

    await user.click(screen.getByRole('button', { name: '다시 시도' }))
    await labelsAre({ e1: 'right', e2: 'partly' })
    await waitFor(() => {
      expect(screen.queryByRole('alert')).toBeNull()
    })
  })

  it('is there still when one comes back to the page', async () => {
    const { user, router } = await open()
    // It is tried again when the page is left.
    failures = 2
    await user.keyboard('3')
    await screen.findByText('라벨 1개가 서버에 반영되지 않았습니다.')
    await act(() => router.navigate('/label?source=doubtful'))
    await waitFor(() => {
      expect(asked.at(-1)?.source).toBe('doubtful')
    })
    await act(() => router.navigate('/label'))
    await user.click(await screen.findByRole('button', { name: '다시 시도' }))
    await labelsAre({ e1: 'wrong' })
  })

  it('may be an undo', async () => {
    const { user } = await open()
    await user.keyboard('1')
    await labelsAre({ e1: 'right' })
    failures = 1
    await user.keyboard('u')
    await user.click(await screen.findByRole('button', { name: '다시 시도' }))
    await labelsAre({})
  })
})

describe('the options', () => {
  it('say what each source is for, and under which name labels are stored', async () => {
    const { user, router } = await open()
    expect(screen.getByText(/라벨을 붙이는 사람: 브라우저 로그인/)).toBeVisible()
    await user.click(screen.getByRole('radio', { name: /의심스러운 평가.*추정에는 쓰지 않습니다/ }))
    await waitFor(() => {
      expect(router.state.location.search).toBe('?source=doubtful')
    })
    expect(await screen.findByText('3개 중 1번째')).toBeVisible()
    await user.click(screen.getByText(/· 라벨을 붙이는 사람:/))
    await user.type(screen.getByRole('textbox', { name: '라벨을 붙이는 사람' }), ' 미나 {Enter}')
    expect(await screen.findByText(/라벨을 붙이는 사람: 미나/)).toBeVisible()
    await shown(1)
    await user.keyboard('1')
    await waitFor(() => {
      expect(labels.get('e1')).toEqual({ label: 'right', author: '미나' })
    })
  })

  it('and a missing draw say what to do', async () => {
    server.use(
      http.post('/review/reservations', () =>
        HttpResponse.json({ author: 'x', items: [], remaining: 0, drawn: 0 }),
      ),
    )
    renderApp('/label')
    expect(await screen.findByText(/아직 추출한 답변이 없습니다/)).toBeVisible()
    expect(screen.getByRole('link', { name: '검토 대기열로' })).toBeVisible()
  })

  it('and a server that is away are said', async () => {
    let away = true
    server.use(
      http.post('/review/reservations', () =>
        away ? HttpResponse.json(null, { status: 502 }) : undefined,
      ),
    )
    const { user } = renderApp('/label')
    expect(await screen.findByRole('alert')).toHaveTextContent('502')
    away = false
    await user.click(screen.getByRole('button', { name: '다시 시도' }))
    await shown(1)
  })
})
