import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import type { Schema } from '@/lib/api'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

const LAB = { id: 'b1', name: '실험실', notes: 3, created_at: '2026-01-01T00:00:00Z' }
const OTHER = { id: 'b2', name: '행정', notes: 0, created_at: '2026-01-01T00:00:00Z' }

function note(id: string, title: string): Schema<'NoteSummary'> {
  return {
    id,
    notebook_id: 'b1',
    title,
    lang: 'ko',
    tags: ['프로토콜'],
    category: '실험',
    subcategory: null,
    updated_at: '2026-01-02T00:00:00Z',
  }
}
const NOTES = [note('n1', 'PCR 조건'), note('n2', '배양기'), note('n3', 'pcr 오염')]

/** Two notes a page, filtered as the API filters. */
const listed = http.get('/notes', ({ request }) => {
  const { searchParams } = new URL(request.url)
  const title = (searchParams.get('title') ?? '').toLowerCase()
  const found = NOTES.filter(
    (each) =>
      each.title.toLowerCase().includes(title) &&
      [null, each.notebook_id].includes(searchParams.get('notebook_id')) &&
      each.id > (searchParams.get('after') ?? ''),
  )
  return HttpResponse.json({
    items: found.slice(0, 2),
    next: found.length > 2 ? found[1]?.id : null,
  })
})

beforeEach(() => {
  server.use(
    listed,
    http.get('/notebooks', () => HttpResponse.json([LAB, OTHER])),
  )
})

const titles = () =>
  within(screen.getByRole('list', { name: '노트' }))
    .getAllByRole('link')
    .map((link) => link.textContent)

describe('the list of notes', () => {
  it('goes on page by page', async () => {
    const { user } = renderApp('/notes')
    await user.click(await screen.findByRole('button', { name: '더 보기' }))

    await screen.findByRole('link', { name: 'pcr 오염' })
    expect(titles()).toEqual(['PCR 조건', '배양기', 'pcr 오염'])
    expect(screen.queryByRole('button', { name: '더 보기' })).toBeNull()
    expect(screen.getAllByText('실험실 › 실험')).toHaveLength(3)
    expect(screen.getAllByText('프로토콜')).toHaveLength(3)
  })

  it('is filtered by title, and the address says so', async () => {
    const { user, router } = renderApp('/notes')
    await screen.findByRole('link', { name: '배양기' })
    await user.type(screen.getByRole('searchbox', { name: '제목으로 찾기' }), 'PCR')

    await screen.findByRole('link', { name: 'pcr 오염' })
    expect(titles()).toEqual(['PCR 조건', 'pcr 오염'])
    expect(router.state.location.search).toBe('?title=PCR')
  })

  it('is of one notebook', async () => {
    const { user } = renderApp('/notes')
    const empty = await screen.findByRole('button', { name: /행정/ })
    await user.click(empty)

    expect(await screen.findByText('조건에 맞는 노트가 없습니다')).toBeVisible()
    expect(empty).toHaveAttribute('aria-pressed', 'true')
  })

  it('says what went wrong, and asks again', async () => {
    let down = true
    server.use(
      http.get('/notes', () => (down ? HttpResponse.json({}, { status: 503 }) : undefined)),
    )
    const { user } = renderApp('/notes')
    const alert = await screen.findByRole('alert')
    down = false
    await user.click(within(alert).getByRole('button', { name: '다시 시도' }))

    await screen.findByRole('link', { name: '배양기' })
  })
})

const markdown = (name: string) => new File(['# 제목\n\n글'], name)
const row = async (name: string) => {
  const files = await screen.findByRole('list', { name: '가져올 파일' })
  const found = within(files)
    .getAllByRole('listitem')
    .find((each) => each.textContent.includes(name))
  if (!found) throw new Error(`no row of ${name}`)
  return found
}

describe('import', () => {
  it('tells of each file what became of it, and refreshes the list', async () => {
    const languages: (string | null)[] = []
    let imported = false
    server.use(
      http.post('/notes/import/file', ({ request }) => {
        if (languages.push(request.headers.get('Accept-Language')) === 2) {
          const detail = '2번째 줄이 JSON이 아닙니다.'
          return HttpResponse.json(
            { type: 'urn:searchqa:problem:invalid-request', title: '', status: 422, detail },
            { status: 422 },
          )
        }
        imported = true
        return HttpResponse.json({ created: 2, updated: 1, unchanged: 4 })
      }),
      http.get('/notebooks', () =>
        HttpResponse.json(imported ? [LAB, OTHER, { ...LAB, id: 'b3', name: '새 노트북' }] : []),
      ),
    )
    const { user } = renderApp('/notes')
    await screen.findByRole('combobox', { name: '저장할 노트북' })
    const big = markdown('big.nsx')
    Object.defineProperty(big, 'size', { value: 65 * 1024 * 1024 })
    const files = [markdown('a.md'), big, markdown('b.docx'), markdown('broken.jsonl')]
    fireEvent.drop(screen.getByRole('button', { name: /끌어다/ }), { dataTransfer: { files } })

    expect(await row('big.nsx')).toHaveTextContent('64 MB보다 커서')
    expect(await row('b.docx')).toHaveTextContent('노트 파일이 아닙니다')
    await screen.findByText('파일 4개 중 1개 완료 (3개 거부됨)')
    expect(await row('a.md')).toHaveTextContent('새 노트 2개, 바뀐 노트 1개, 그대로 4개')
    expect(await row('broken.jsonl')).toHaveTextContent('2번째 줄이 JSON이 아닙니다.')
    expect(languages).toEqual(['ko', 'ko'])
    await screen.findByRole('button', { name: /새 노트북/ })

    await user.click(screen.getByRole('button', { name: '끝난 항목 지우기' }))
    expect(screen.queryByRole('list', { name: '가져올 파일' })).toBeNull()
  })

  it('takes chosen files too, one after the other', async () => {
    let atOnce = 0
    let most = 0
    server.use(
      http.post('/notes/import/file', async () => {
        most = Math.max(most, ++atOnce)
        await delay(10)
        atOnce--
        return HttpResponse.json({ created: 1, updated: 0, unchanged: 0 })
      }),
    )
    const { user } = renderApp('/notes')
    const names = ['1.md', '2.md', '3.md']
    await user.upload(await screen.findByTestId('files'), names.map(markdown))

    await screen.findByText('파일 3개 중 3개 완료')
    expect(most).toBe(1)
  })

  it('says that the server cannot be reached', async () => {
    server.use(http.post('/notes/import/file', () => HttpResponse.error()))
    const { user } = renderApp('/notes')
    await user.upload(await screen.findByTestId('files'), markdown('a.md'))

    await waitFor(async () => {
      expect(await row('a.md')).toHaveTextContent('서버에 연결할 수 없습니다')
    })
  })
})

describe('a note', () => {
  const unused = {
    ...{ days: 90, given: 0, cited: 0, scored: 0, correctness: null, ungrounded: 0, misquoted: 0 },
    ...{ last_given_at: null, weeks: [], misquotes: [] },
  }
  const alone = { compared: 3, conflicts: [], copies: [] }
  const show = (content: string, quality: object = unused, conflicts: object = alone) => {
    server.use(
      http.get('/notes/n1/conflicts', () => HttpResponse.json(conflicts)),
      http.get('/notes/n1/quality', () => HttpResponse.json(quality)),
      http.get('/notes/n1', () => HttpResponse.json({ ...note('n1', 'PCR 조건'), content })),
    )
    return renderApp('/notes/n1')
  }

  it('shows its text as Markdown, never as HTML', async () => {
    const { container } = show(
      '# 변성\n\n**95도** [표](https://example.org) [나쁨](javascript:alert(1))\n\n' +
        '<img src=x onerror="alert(1)"><script>alert(2)</script>\n\n![그림](https://example.org/x.png)',
    )

    await screen.findByRole('heading', { level: 1, name: 'PCR 조건' })
    expect(screen.getByRole('heading', { level: 2, name: '변성' })).toBeVisible()
    expect(screen.getByText('95도').tagName).toBe('STRONG')
    expect(screen.getByRole('link', { name: '표' })).toHaveAttribute('href', 'https://example.org')
    expect(screen.queryByRole('link', { name: '나쁨' })).toBeNull()
    expect(container.querySelector('main img, main script, [onerror]')).toBeNull()
    expect(await screen.findByText('실험실 › 실험')).toBeVisible()
    expect(screen.getByRole('link', { name: '노트 목록' })).toHaveAttribute(
      'href',
      '/notes?notebook=b1',
    )
  })

  it('says how its answers fared, or that nobody asks for it', async () => {
    const view = show('변성은 95도')
    expect(await screen.findByText('이 노트가 검색된 답변이 없습니다.')).toBeVisible()
    view.unmount()
    show('변성은 95도', {
      ...unused,
      ...{ given: 9, cited: 7, scored: 6, correctness: 0.62, ungrounded: 2, misquoted: 1 },
      weeks: [
        { week: '2026-03-02', cited: 3, correctness: 0.9 },
        { week: '2026-03-09', cited: 4, correctness: null },
      ],
      misquotes: [{ evaluation_id: 'e1', question: '변성 온도는?', quote: '85도' }],
    })
    const card = await screen.findByRole('region', { name: '최근 90일의 답변' })
    expect(card).toHaveTextContent('답변 9개에서 검색되어 7개에 쓰였습니다.')
    expect(card).toHaveTextContent('평균 정확성은 62%이고, 2개는 근거가 부족합니다.')
    expect(within(card).getAllByRole('progressbar')).toHaveLength(2)
    expect(within(card).getByText('3월 2일 주간 (3개)')).toBeVisible()
    expect(within(card).getByText('85도')).toBeVisible()
    const verdict = within(card).getByRole('link', { name: '변성 온도는?' })
    expect(verdict).toHaveAttribute('href', '/evaluations/e1')
  })

  it('shows sentences that may contradict those of other notes, and its copies', async () => {
    const conflict = {
      ...{ note: { id: 'n2', title: '배양기' }, kind: 'value', differs: '95도 ↔ 94도' },
      ...{ ours: '변성은 95도에서 한다.', theirs: '변성은 94도에서 한다.' },
    }
    const copies = [{ id: 'n3', title: 'pcr 오염' }]
    show('변성은 95도에서 한다.', unused, { compared: 3, conflicts: [conflict], copies })

    const card = await screen.findByRole('region', { name: '다른 노트와 비교' })
    const [row] = within(card).getAllByRole('listitem')
    expect(row).toHaveTextContent('변성은 95도에서 한다.')
    expect(row).toHaveTextContent('변성은 94도에서 한다.')
    expect(row).toHaveTextContent('95도 ↔ 94도')
    expect(within(card).getByRole('link', { name: '배양기' })).toHaveAttribute('href', '/notes/n2')
    expect(within(card).getByRole('link', { name: 'pcr 오염' })).toHaveAttribute(
      'href',
      '/notes/n3',
    )
  })

  it('can be asked', async () => {
    show('변성은 95도')
    expect(await screen.findByRole('region', { name: /PCR 조건/ })).toBeVisible()
  })

  it('is cut when it is very long, until all is asked for', async () => {
    const { user } = show(`${'가나다 '.repeat(15_000)}\n\n끝입니다`)
    const button = await screen.findByRole('button', { name: /전체 보기/ })
    expect(screen.queryByText('끝입니다')).toBeNull()
    await user.click(button)
    expect(screen.getByText('끝입니다')).toBeVisible()
  })

  it('is deleted after a question, and its list is shown', async () => {
    let deleted = 0
    server.use(
      http.delete('/notes/n1', () => {
        deleted++
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user, router } = show('변성은 95도')
    await user.click(await screen.findByRole('button', { name: '삭제' }))
    const dialog = await screen.findByRole('dialog', { name: /PCR 조건/ })
    expect(deleted).toBe(0)
    await user.click(within(dialog).getByRole('button', { name: '삭제' }))

    await screen.findByRole('heading', { level: 1, name: '노트' })
    expect(router.state.location.search).toBe('?notebook=b1')
    expect(deleted).toBe(1)
  })

  it('that cannot be deleted stays, and the reason is shown', async () => {
    const detail = '이 토큰에는 권한이 없습니다.'
    server.use(
      http.delete('/notes/n1', () =>
        HttpResponse.json(
          { type: 'urn:searchqa:problem:forbidden', title: '', status: 403, detail },
          { status: 403 },
        ),
      ),
    )
    const { user } = show('변성은 95도')
    await user.click(await screen.findByRole('button', { name: '삭제' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: '삭제' }))

    expect(await within(dialog).findByText(detail)).toBeVisible()
  })

  it('that is not there is said to be so', async () => {
    const detail = '그런 노트가 없습니다.'
    server.use(
      http.get('/notes/n9', () =>
        HttpResponse.json(
          { type: 'urn:searchqa:problem:not-found', title: '', status: 404, detail },
          { status: 404 },
        ),
      ),
    )
    renderApp('/notes/n9')
    expect(await screen.findByText(detail)).toBeVisible()
  })
})
