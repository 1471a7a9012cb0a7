import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import { matches } from '@/lib/matches'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import { idIn } from './items'
import { addVisit, recentVisits } from './recent'

const ID = '01a205b2-7e80-7002-b9a5-123c2a5ff3cf'

beforeEach(() => {
  sessionStorage.clear()
  // What the pages ask for is not what this is about.
  server.use(http.get('*', () => HttpResponse.json({}, { status: 503 })))
})

async function openPalette(path = '/nowhere') {
  const view = renderApp(path)
  await screen.findByRole('heading', { level: 1 })
  await view.user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: '찾을 내용' })
  return { ...view, field }
}

function selected() {
  return screen.getByRole('option', { selected: true })
}

describe('the palette', () => {
  it('opens by its key, and goes to a page by a part of its name in either language', async () => {
    const { user, field, router } = await openPalette()
    expect(field).toHaveFocus()
    await user.type(field, 'judge ac')
    expect(screen.getAllByRole('option')).toHaveLength(1)
    expect(selected()).toHaveTextContent('평가 모델 검증')
    expect(field).toHaveAttribute('aria-activedescendant', selected().id)
    await user.keyboard('{Enter}')

    const heading = await screen.findByRole('heading', { level: 1, name: '평가 모델 검증' })
    await waitFor(() => expect(heading).toHaveFocus())
    expect(router.state.location.pathname).toBe('/benches')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    await user.keyboard('{Control>}k{/Control}')
    const recent = await screen.findByRole('group', { name: '최근 항목' })
    expect(within(recent).getByRole('option')).toHaveTextContent('평가 모델 검증')
  })

  it('opens by its button where the Korean keyboard is on too, and closes by its key', async () => {
    const { user } = renderApp('/nowhere')
    await user.click(screen.getByRole('button', { name: '검색' }))
    const field = await screen.findByRole('combobox', { name: '찾을 내용' })
    fireEvent.keyDown(field, { key: 'ㅏ', code: 'KeyK', ctrlKey: true })
    await waitFor(() => {
      expect(field).not.toBeInTheDocument()
    })
    await waitFor(() => {
      expect(screen.getByRole('button', { name: '검색' })).toHaveFocus()
    })
  })

  it('moves by the arrows, around both ends, but not while a syllable is composed', async () => {
    const { user, field } = await openPalette()
    const options = screen.getAllByRole('option')
    expect(selected()).toBe(options[0])
    await user.keyboard('{ArrowUp}')
    expect(selected()).toBe(options.at(-1))
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(selected()).toBe(options[1])
    for (const given of [{ isComposing: true }, { keyCode: 229 }]) {
      fireEvent.keyDown(field, { key: 'ArrowDown', ...given })
      fireEvent.keyDown(field, { key: 'Enter', ...given })
    }
    expect(selected()).toBe(options[1])
  })

  it('changes theme and language', async () => {
    const { user, field } = await openPalette()
    await user.type(field, '어둡게')
    await user.click(screen.getByRole('option', { name: '화면 테마: 어둡게' }))
    expect(document.documentElement).toHaveAttribute('data-theme', 'dark')
    expect(screen.getByRole('combobox', { name: '화면 테마' })).toHaveDisplayValue('어둡게')

    await user.keyboard('{Control>}k{/Control}')
    await user.click(await screen.findByRole('option', { name: '언어: English' }))
    await screen.findByRole('heading', { name: 'Page not found' })
  })

  it('opens an evaluation by its id, also out of an address', async () => {
    const { user, field, router } = await openPalette()
    await user.click(field)
    await user.paste(` https://notes.example.org/ui/evaluations/${ID.toUpperCase()}?x=1`)
    expect(screen.getByRole('option')).toHaveTextContent(`평가 ${ID} 열기`)
    await user.keyboard('{Enter}')
    await waitFor(() => {
      expect(router.state.location.pathname).toBe(`/evaluations/${ID}`)
    })
  })

  it('searches titles and questions once the reader pauses, and leads to all of them', async () => {
    const asked: string[] = []
    const answer =
      (items: object[]) =>
      ({ request }: { request: Request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json({ items, next: null })
      }
    server.use(
      http.get('/notes', answer([{ id: 'n1', title: '배양기 점검' }])),
      http.get('/qa-evaluations', answer([{ id: 'e1', question: '배양기 온도는?' }])),
    )
    const { user, field, router } = await openPalette()
    await user.type(field, '배양기')
    expect(await screen.findByRole('option', { name: '배양기 온도는?' })).toBeVisible()
    expect(screen.getByRole('option', { name: '배양기 점검' })).toBeVisible()
    expect(screen.getByText('항목 4개')).toBeVisible()
    const text = encodeURIComponent('배양기')
    expect(asked.sort()).toEqual([
      `?question=${text}&current=true&limit=5`,
      `?title=${text}&limit=5`,
    ])
    await user.click(screen.getByRole('option', { name: '질문에서 ‘배양기’ 모두 찾기' }))
    await waitFor(() => {
      expect(router.state.location.search).toBe(`?question=${text}`)
    })
  })

  it('says what was not found, and what could not be searched', async () => {
    server.use(
      http.get('/notes', () => HttpResponse.json({ items: [], next: null })),
      http.get('/qa-evaluations', () => HttpResponse.json({ items: [], next: null })),
    )
    const { user, field } = await openPalette()
    await user.type(field, '없는 말')
    expect(await screen.findByText('찾은 항목이 없습니다.')).toBeVisible()
    server.use(http.get('/notes', () => HttpResponse.json({}, { status: 503 })))
    await user.type(field, '들')
    expect(await screen.findByText('노트와 질문을 검색하지 못했습니다.')).toBeVisible()
  })
})

describe('the keys', () => {
  it('are listed by ?, those of the page first', async () => {
    server.use(http.all('/review/reservations', () => HttpResponse.json({}, { status: 503 })))
    const { user } = renderApp('/label')
    await screen.findByRole('button', { name: '단축키' })
    await user.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: '단축키' })
    const mine = within(dialog).getByRole('region', { name: '이 페이지' })
    expect(within(mine).getByText('마지막 라벨 취소')).toBeVisible()
    expect(within(dialog).getByText('Ctrl+K')).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => {
      expect(dialog).not.toBeInTheDocument()
    })
  })

  it('are not listed while somebody types, nor those of a page that was left', async () => {
    const { user, field } = await openPalette()
    await user.type(field, '?')
    expect(field).toHaveValue('?')
    await user.clear(field)
    await user.click(screen.getByRole('option', { name: '단축키 보기' }))
    const dialog = await screen.findByRole('dialog', { name: '단축키' })
    expect(within(dialog).queryByRole('region', { name: '이 페이지' })).not.toBeInTheDocument()
  })
})

describe('what is found', () => {
  it.each([
    ['품질', true],
    ['qual', true],
    ['질 품', true],
    ['qualm', false],
  ])('%s fits the page of quality: %s', (text, expected) => {
    expect(matches(text, '품질', 'Quality')).toBe(expected)
  })

  it('is an id only in its whole length', () => {
    expect(idIn(`x ${ID}`)).toBe(ID)
    expect(idIn(ID.slice(1))).toBeNull()
  })

  it('keeps the last five pages of this tab, and reads no rubbish', () => {
    for (const n of [1, 2, 3, 4, 5, 6, 2]) addVisit({ to: `/notes/${n}`, text: `노트 ${n}` })
    expect(recentVisits().map(({ text }) => text.slice(-1))).toEqual(['2', '6', '5', '4', '3'])
    for (const stored of ['{', '{}', '[1]', '[{"to": "//evil", "text": 1}]']) {
      sessionStorage.setItem('searchqa.recent', stored)
      expect(recentVisits()).toEqual([])
    }
  })
})
