import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { textDiff, type Part } from '../components/TextDiff'

const whole = (parts: Part[]) => parts.map(({ text }) => text).join('')
const words = (parts: Part[], changed: boolean) =>
  parts.filter((part) => part.changed === changed).flatMap(({ text }) => text.match(/\S+/g) ?? [])

describe('the difference of two texts', () => {
  it('marks the eojeols that only one of them has', () => {
    const { before, after } = textDiff(
      '배양기는 37도로 맞춘다. [노트 1]',
      '배양기는 55도로 천천히 맞춘다. [노트 1]',
    )
    expect(before).toEqual([
      { text: '배양기는 ', changed: false },
      { text: '37도로 ', changed: true },
      { text: '맞춘다. [노트 1]', changed: false },
    ])
    expect(words(after, true)).toEqual(['55도로', '천천히'])
  })

  it('takes other spaces for no difference', () => {
    const { before, after } = textDiff('첫째 줄\n둘째 줄', ' 첫째  줄 둘째 줄\n')
    expect([...before, ...after].filter(({ text, changed }) => changed && text.trim())).toEqual([])
  })

  it('keeps both texts whole, and what is unmarked is the same in both', () => {
    const text = fc.array(fc.constantFrom('가', '나', '다.', 'a', '\n', ' '), { maxLength: 40 })
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [one.join(' '), other.join(' ')]
        const { before, after } = textDiff(a, b)
        expect([whole(before), whole(after)]).toEqual([a, b])
        expect(words(before, false)).toEqual(words(after, false))
      }),
      { seed: 1 },
    )
  })

  it('compares very long texts by sentences', () => {
    const long = (changed: string) =>
      Array.from({ length: 900 }, (_, at) => `문장 ${at === 450 ? changed : at}번 이다.`).join(' ')
    const { before, after } = textDiff(long('가'), long('나'))
    expect(words(before, true)).toEqual(['문장', '가번', '이다.'])
    expect(whole(after)).toBe(long('나'))
  })
})
