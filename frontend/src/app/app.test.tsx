import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'

import { api, data } from '@/lib/api'
import { toast } from '@/lib/toast'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

describe('pages', () => {
  it.each([
    ['/', '워크벤치'],
    ['/notes', '노트'],
    ['/quality', '품질'],
    ['/evaluations', '평가'],
    ['/datasets', '데이터셋'],
    ['/runs', '실행'],
    ['/benches', '평가 모델 검증'],
    ['/settings', '설정'],
    ['/nowhere/at/all', '페이지를 찾을 수 없습니다'],
  ])('%s is %s', async (path, name) => {
    // What a page asks for is not what this is about.
    server.use(http.get('*', () => HttpResponse.json({}, { status: 503 })))
    renderApp(path)
    await heading(name)
    await waitFor(() => {
      expect(document.title).toBe(`${name} · SearchQA`)
    })
  })
})

describe('the shell', () => {
  it('moves the focus to the heading of the next page, and marks it in the menu', async () => {
    server.use(http.get('*', () => HttpResponse.json({}, { status: 503 })))
    const { user } = renderApp('/nowhere')
    await heading('페이지를 찾을 수 없습니다')
    expect(document.body).toHaveFocus()

    const menu = screen.getByRole('navigation', { name: '주 메뉴', hidden: true })
    const link = within(menu).getByRole('link', { name: '설정', hidden: true })
    await user.click(link)

    const found = await heading('설정')
    await waitFor(() => expect(found).toHaveFocus())
    expect(link).toHaveAttribute('aria-current', 'page')
  })

  it('opens the menu of narrow screens over the page, and leads from there', async () => {
    server.use(http.get('*', () => HttpResponse.json({}, { status: 503 })))
    const { user } = renderApp('/nowhere')
    const button = screen.getByRole('button', { name: '메뉴' })
    await user.click(button)
    await user.keyboard('{Escape}')
    expect(button).toHaveFocus()

    await user.click(button)
    const drawer = screen.getByRole('dialog', { name: '메뉴' })
    await user.click(within(drawer).getByRole('link', { name: '설정' }))

    const found = await heading('설정')
    await waitFor(() => expect(found).toHaveFocus())
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('skips to the content by the first key press', async () => {
    const { user } = renderApp('/nowhere')
    await user.tab()
    expect(screen.getByRole('link', { name: '본문으로 건너뛰기' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('main')).toHaveFocus()
  })

  it('speaks English when asked to, and remembers it', async () => {
    const { user } = renderApp('/nowhere')
    await user.click(screen.getByRole('button', { name: 'English' }))

    await heading('Page not found')
    expect(document.documentElement).toHaveAttribute('lang', 'en')
    expect(localStorage.getItem('searchqa.language')).toBe('en')
    expect(screen.getByRole('button', { name: 'English' })).toHaveAttribute('aria-pressed', 'true')
  })

  it('is dark when asked to be, and remembers it', async () => {
    const { user } = renderApp('/nowhere')
    const themes = screen.getByRole('combobox', { name: '화면 테마' })
    expect(themes).toHaveDisplayValue('시스템 설정')

    await user.selectOptions(themes, '어둡게')

    expect(themes).toHaveDisplayValue('어둡게')
    expect(document.documentElement).toHaveAttribute('data-theme', 'dark')
    expect(localStorage.getItem('searchqa.theme')).toBe('dark')
  })

  it('says how to sign in when the API asks who this is, and goes on afterwards', async () => {
    const { user } = renderApp('/nowhere')
    await heading('페이지를 찾을 수 없습니다')
    window.history.replaceState(null, '', '/ui/nowhere?a=1')
    server.use(
      http.get('/notebooks', () => HttpResponse.json({}, { status: 401 })),
      http.get('/login/provider', () => HttpResponse.json({ name: 'Acme' })),
    )
    await expect(data(api.GET('/notebooks'))).rejects.toMatchObject({ status: 401 })

    await heading('로그인이 필요합니다')
    expect(screen.getByText('searchqa login')).toBeVisible()
    const company = await screen.findByRole('link', { name: 'Acme 계정으로 로그인' })
    expect(company).toHaveAttribute('href', '/login/oidc?next=%2Fui%2Fnowhere%3Fa%3D1')
    await user.click(screen.getByRole('button', { name: '로그인했습니다. 계속하기' }))
    await heading('페이지를 찾을 수 없습니다')
  })

  it('reads messages out; an error stays until it is dismissed', async () => {
    const { user } = renderApp('/nowhere')
    const log = screen.getByRole('region', { name: /알림/ })
    toast('저장하지 못했습니다', 'error')

    expect(await within(log).findByText('저장하지 못했습니다')).toBeVisible()
    await user.click(within(log).getByRole('button', { name: '닫기' }))
    await waitFor(() => {
      expect(log).toBeEmptyDOMElement()
    })
  })
})
