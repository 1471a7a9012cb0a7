import { waitFor } from '@testing-library/react'
import { http, HttpResponse, type DefaultBodyType } from 'msw'
import { beforeAll, describe, expect, it, vi } from 'vitest'

import { JUDGED } from '@/testing/evaluation'
import { liveStream } from '@/testing/liveStream'
import { server } from '@/testing/server'

import type { VerdictElement } from './VerdictElement'
import type { ReaderVerdict } from './render'

const API = 'https://searchqa.example'
const ID = '01900000-0000-7000-8000-00000000000e'
const STATE = `${API}/qa-evaluations/${ID}`
const EVENTS = `${STATE}/events`

beforeAll(async () => {
  // jsdom has no sheets that scripts make.
  if (!('replaceSync' in CSSStyleSheet.prototype)) {
    vi.stubGlobal(
      'CSSStyleSheet',
      class {
        replaceSync = () => undefined
      },
    )
  }
  await import('./index')
})

const QUEUED: ReaderVerdict = {
  ...{ id: ID, status: 'queued', reason: null, degraded: false, judged_by: null, lang: 'ko' },
  ...{ created_at: '2026-01-01T00:00:00Z', finished_at: null, next_attempt_at: null },
  ...{ qa_evaluation: null, feedback: null },
}
const FOUND: NonNullable<ReaderVerdict['qa_evaluation']> = {
  ...{ correctness: 0.9, utility: 0.9, confidence: 'high', outcome: null, decided: true },
  state: 'confirmed',
  summary: JUDGED.summary,
  ...{ grounding_issues: JUDGED.grounding_issues, flags: [], extent: null, guarantee: null },
}
const HIGH: ReaderVerdict = {
  ...QUEUED,
  ...{ status: 'succeeded', judged_by: 'model', qa_evaluation: FOUND },
}

function answer(...answers: (ReaderVerdict | HttpResponse<DefaultBodyType>)[]) {
  const asked: Request[] = []
  server.use(
    http.get(STATE, ({ request }) => {
      asked.push(request)
      const next = answers.length > 1 ? answers.shift() : answers[0]
      if (next instanceof HttpResponse) return next
      return HttpResponse.json(next, { headers: { ETag: '"1"', 'Retry-After': '0' } })
    }),
  )
  return asked
}

function show(attributes: Record<string, string> = {}, change?: (made: VerdictElement) => void) {
  const made = document.createElement('searchqa-verdict')
  const given = { 'evaluation-id': ID, api: API, token: 'sqr_a', lang: 'ko', ...attributes }
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value)
  change?.(made)
  document.body.replaceChildren(made)
  const root = made.shadowRoot
  const line = root?.querySelector('[role=status]')
  const more = root?.querySelector('details')
  if (!root || !line || !more) throw new Error('it has no content')
  return { made, root, line, more }
}

const until = (text: string, line: Element) =>
  waitFor(() => {
    expect(line).toHaveTextContent(text)
  })
const noStream = () => {
  server.use(http.get(EVENTS, () => new HttpResponse(null, { status: 503 })))
}

describe('what it shows', () => {
  it.each([
    ['model', false, 'confirmed', '노트로 확인됨 높은 신뢰도', 'success'],
    ['model', false, 'contradicted', '노트와 다름', 'danger'],
    ['rules', false, 'confirmed', '노트와 일치 규칙 평가', 'outlineSuccess'],
    ['rules', false, 'contradicted', '노트와 다름', 'outlineDanger'],
    ['rules', false, 'rightly_refused', '노트에 없다고 바르게', 'outline'],
    ['rules', false, 'falsely_refused', '노트에 있는데', 'outlineDanger'],
    ['model', false, 'rightly_refused', '노트에 없다고 바르게', 'outline'],
    ['model', false, 'falsely_refused', '노트에 있는데', 'danger'],
    ['local', false, 'partly', '일부만 노트로 확인됨 로컬 모델 평가', 'outline'],
    ['rules', true, 'confirmed', '노트와 일치 모델 평가 실패, 규칙 평가', 'degraded'],
  ] as const)('a %s badge (degraded: %s, %s)', async (judged_by, degraded, state, words, look) => {
    const matches = judged_by === 'rules' && state === 'confirmed'
    const outcome = matches ? ('matches' as const) : FOUND.outcome
    answer({ ...HIGH, judged_by, degraded, qa_evaluation: { ...FOUND, state, outcome } })
    const { line } = show()
    await until(words, line)
    expect(line.querySelector('.badge')).toHaveClass('badge', look)
    expect(line.querySelector('.success') !== null).toBe(look === 'success')
  })

  it.each([
    [{ status: 'queued' }, '평가를 기다리는 중입니다'],
    [{ status: 'running' }, '평가하는 중입니다'],
    [{ status: 'failed' }, '평가하지 못했습니다'],
    [{ status: 'skipped', reason: 'sampled_out' }, '표본에 포함되지 않아'],
    [{ status: 'queued', reason: 'judge_paused' }, '평가 모델이 일시 중지되어'],
  ] as const)('where a verdict stands: %o', async (change, words) => {
    noStream()
    answer({ ...QUEUED, ...change })
    const { line, more } = show()
    await until(words, line)
    expect(more).toHaveProperty('hidden', true)
  })

  it('why rules cannot tell beside the badge, and nothing that is held against the answer', async () => {
    const open = {
      ...({
        outcome: 'undecided',
        decided: false,
        confidence: 'medium',
        state: 'not_judged',
      } as const),
    }
    answer({ ...HIGH, judged_by: 'rules', qa_evaluation: { ...FOUND, ...open } })
    const { line, more } = show()
    await until(`규칙으로는 판단할 수 없음 ${JUDGED.summary}`, line)
    expect(line.querySelector('.badge')).toHaveClass('outlineMuted')
    expect(more).not.toHaveTextContent('근거 이슈')
  })

  it('what the verdict rests on, as text and never as markup', async () => {
    const attack = '<img src=x onerror="globalThis.pwned = 1"><b>굵게</b>'
    const claims = [
      { claim: attack, verdict: 'partly', fault: 'contradicted' },
      { claim: '95도', verdict: 'supported', fault: null },
    ] as const
    answer({
      ...HIGH,
      qa_evaluation: { ...FOUND, summary: attack, grounding_issues: [attack] },
      feedback: { groundedness: { source: 'judge', claims: [...claims] } },
    })
    const { line, more, root } = show()
    await until('높은 신뢰도', line)
    expect(more.querySelector('summary')).toHaveTextContent('평가 자세히 보기')
    // Its issue, which says the same as the claim, is left out.
    expect(more.textContent.split(attack)).toHaveLength(3)
    expect(more).toHaveTextContent('일부 근거 있음 · 노트와 다름')
    expect(more).not.toHaveTextContent('95도')
    expect(root.querySelector('img, b')).toBeNull()
    expect(globalThis).not.toHaveProperty('pwned')
  })

  it('what "high" promises, or that the promise has lapsed', async () => {
    const guarantee = {
      ...{ precision: 0.95, confidence: 0.9, threshold: 0.86, labels: 240, labels_right: 236 },
      calibrated_at: '2026-11-20T09:00:00Z',
    }
    const promised = (state: 'holds' | 'lapsed') => ({
      ...HIGH,
      qa_evaluation: { ...FOUND, guarantee: { ...guarantee, state } },
    })
    answer(promised('holds'))
    const { more } = show()
    await until('이런 답변 100개 중 95개 이상을 사람도 맞다고 봅니다', more)

    answer(promised('lapsed'))
    await until('보장이 만료되었습니다', show().more)
  })

  it('English where the page is, and changes with it', async () => {
    answer({ ...HIGH, judged_by: 'rules', qa_evaluation: { ...FOUND, outcome: 'matches' } })
    const { made, line, more } = show({ lang: 'en-GB' })
    await until('Matches the notes', line)
    expect(more).toHaveTextContent('Rules compare figures')
    made.lang = 'ko'
    expect(line).toHaveTextContent('노트와 일치')
  })
})

describe('how it follows', () => {
  it('shows each event and tells the page when the verdict is final', async () => {
    const live = liveStream()
    const asked = answer(QUEUED)
    server.use(http.get(EVENTS, () => live.response))
    const told = vi.fn()
    document.addEventListener('searchqa-verdict', told, { once: true })
    const { line } = show()
    await until('평가를 기다리는 중입니다', line)
    live.send('evaluation', { ...QUEUED, status: 'running' }, '1-1')
    await until('평가하는 중입니다', line)
    expect(told).not.toHaveBeenCalled()
    live.send('evaluation', HIGH, '1-2')
    await until('높은 신뢰도', line)
    expect(told).toHaveBeenCalledOnce()
    expect(told.mock.calls[0]?.[0]).toHaveProperty('detail', HIGH)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.headers.get('Authorization')).toBe('Bearer sqr_a')
    expect(asked[0]?.url).not.toContain('sqr_a')
  })

  it('goes on where a stream broke off', async () => {
    const [first, second] = [liveStream(), liveStream()]
    answer(QUEUED)
    const resumed: (string | null)[] = []
    server.use(
      http.get(EVENTS, ({ request }) => {
        resumed.push(request.headers.get('Last-Event-ID'))
        return (resumed.length === 1 ? first : second).response
      }),
    )
    const { line } = show()
    first.send('evaluation', { ...QUEUED, status: 'running' }, '7-1')
    await until('평가하는 중입니다', line)
    first.breakOff()
    second.send('evaluation', HIGH, '7-2')
    await until('높은 신뢰도', line)
    expect(resumed).toEqual([null, '7-1'])
  })

  it('polls where no stream comes through, and only for what is new', async () => {
    noStream()
    const nothingNew = () =>
      new HttpResponse(null, { status: 304, headers: { ETag: '"1"', 'Retry-After': '0' } })
    const asked = answer(QUEUED, nothingNew(), nothingNew(), nothingNew(), nothingNew(), HIGH)
    const { line } = show()
    await until('높은 신뢰도', line)
    expect(asked).toHaveLength(6)
    expect(asked[0]?.headers.get('If-None-Match')).toBeNull()
    expect(asked[5]?.headers.get('If-None-Match')).toBe('"1"')
  })

  it('opens a stream that breaks without an event three times', async () => {
    const broken = () =>
      new ReadableStream({
        pull(controller) {
          controller.error(new Error('lost'))
        },
      })
    const streams = vi.fn(
      () => new HttpResponse(broken(), { headers: { 'Content-Type': 'text/event-stream' } }),
    )
    server.use(http.get(EVENTS, streams))
    answer(QUEUED, QUEUED, QUEUED, QUEUED, QUEUED, HIGH)
    const { line } = show()
    await until('높은 신뢰도', line)
    expect(streams).toHaveBeenCalledTimes(3)
  })

  it('lets one element of a page stream and the others poll', async () => {
    const live = liveStream()
    const streams = vi.fn(() => live.response)
    server.use(http.get(EVENTS, streams))
    const asked = answer(QUEUED)
    const { made, line } = show()
    await until('평가를 기다리는 중입니다', line)
    await waitFor(() => {
      expect(streams).toHaveBeenCalledOnce()
    })
    const other = made.cloneNode() as HTMLElement
    document.body.append(other)
    await waitFor(() => {
      expect(asked.length).toBeGreaterThan(3)
    })
    expect(streams).toHaveBeenCalledOnce()
    other.remove()
    made.remove()
  })

  it('stops when it leaves the page', async () => {
    noStream()
    const asked = answer(QUEUED)
    const { made, line } = show()
    await until('평가를 기다리는 중입니다', line)
    made.remove()
    const by = (token: string) =>
      asked.filter((each) => each.headers.get('Authorization') === `Bearer ${token}`).length
    const before = by('sqr_a')
    const { made: another } = show({ token: 'sqr_b' })
    await waitFor(() => {
      expect(by('sqr_b')).toBeGreaterThan(3)
    })
    another.remove()
    // One may have been on its way.
    expect(by('sqr_a') - before).toBeLessThanOrEqual(1)
  })
})

describe('its token', () => {
  const refused = () => new HttpResponse(null, { status: 401 })

  it('is said to have expired', async () => {
    answer(refused())
    const { line } = show()
    await until('볼 수 있는 시간이 지났습니다', line)
  })

  it('is renewed by the page where it can, once', async () => {
    const asked = answer(refused(), HIGH)
    const renew = vi.fn(() => Promise.resolve('sqr_b'))
    const { line } = show({}, (made) => (made.tokenProvider = renew))
    await until('높은 신뢰도', line)
    expect(asked.map((each) => each.headers.get('Authorization'))).toEqual([
      'Bearer sqr_a',
      'Bearer sqr_b',
    ])
    expect(renew).toHaveBeenCalledOnce()
  })

  it('is not asked for again and again', async () => {
    const asked = answer(refused())
    const { line } = show({}, (made) => (made.tokenProvider = () => 'sqr_b'))
    await until('볼 수 있는 시간이 지났습니다', line)
    expect(asked).toHaveLength(2)
  })

  it('is asked for once where the page gives no other', async () => {
    noStream()
    const asked = answer(QUEUED, QUEUED, HIGH)
    const provider = vi.fn(() => 'sqr_b')
    const { line } = show({}, (made) => {
      made.removeAttribute('token')
      made.tokenProvider = provider
    })
    await until('높은 신뢰도', line)
    expect(asked).toHaveLength(3)
    expect(provider).toHaveBeenCalledOnce()
  })

  it('may be put right', async () => {
    answer(refused(), HIGH)
    const { made, line } = show()
    await until('볼 수 있는 시간이 지났습니다', line)
    made.setAttribute('token', 'sqr_b')
    await until('높은 신뢰도', line)
  })

  it.each([
    [403, '볼 권한이 없습니다'],
    [404, '평가가 없거나 삭제되었습니다'],
    [503, '연결하지 못했습니다'],
  ])('shows nothing where the server says %i', async (status, words) => {
    answer(new HttpResponse(null, { status }))
    const { line, made } = show()
    await until(words, line)
    made.remove()
  })
})
