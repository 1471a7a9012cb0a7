import { expect, it, vi } from 'vitest'

import { date } from './figures'
import { changeLanguage, isQuoted } from './language'

it.each([
  ['en', ['en-GB', 'ko-KR'], '31 Jan 2026'],
  ['en', ['ko-KR'], 'Jan 31, 2026'],
  ['ko', ['en-GB'], '2026. 1. 31.'],
] as const)('dates in %s for a reader of %j are like %s', async (language, asked, written) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([...asked])
  await changeLanguage(language)
  expect(date('2026-01-31T12:00:00Z')).toBe(written)
  expect([isQuoted('노트 1 (PCR)'), isQuoted('note 1')]).toEqual(
    language === 'en' ? [true, false] : [false, true],
  )
})
