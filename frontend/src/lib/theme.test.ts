import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { changeTheme, currentTheme, THEMES } from './theme'

const BEFORE_PAINT = readFileSync('public/theme.js', 'utf8')

/** As the browser does at the next load. */
function load(): string | undefined {
  delete document.documentElement.dataset.theme
  window.eval(BEFORE_PAINT)
  return document.documentElement.dataset.theme
}

it.each(THEMES)('is %s at once, and at the next load before anything is painted', (theme) => {
  changeTheme(theme)
  expect(document.documentElement.dataset.theme).toBe(theme)
  expect(currentTheme()).toBe(theme)
  expect(load()).toBe(theme)
})

it('is that of the system where the reader chose none, or what we do not know', () => {
  expect(currentTheme()).toBe('system')
  expect(load()).toBe('system')
  localStorage.setItem('searchqa.theme', 'sepia')
  expect(currentTheme()).toBe('system')
})
