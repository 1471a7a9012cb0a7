import { describe, expect, it } from 'vitest'

import { chatOptions, isAge, NOTHING_ASKED } from './asked'

describe('the options of a question', () => {
  it('leave out what was not written', () => {
    expect(chatOptions(NOTHING_ASKED)).toEqual({})
    expect(chatOptions({ ...NOTHING_ASKED, profile: ' ', conditions: ' , ', minor: 'x' })).toEqual(
      {},
    )
  })

  it('hold profile, slots and classification', () => {
    const asked = {
      notebookId: 'n1',
      profile: ' 신장 기능 저하 ',
      age: '60',
      sex: '남성',
      conditions: '2형 당뇨병, 고혈압',
      medications: '메트포르민',
      major: '재활용폐기물',
      minor: '플라스틱',
    }
    expect(chatOptions(asked)).toEqual({
      notebook_id: 'n1',
      profile: '신장 기능 저하',
      slots: {
        age: 60,
        sex: '남성',
        conditions: ['2형 당뇨병', '고혈압'],
        medications: ['메트포르민'],
      },
      classification: { major_category: '재활용폐기물', minor_category: '플라스틱' },
    })
  })
})

it.each([
  ['0', true],
  ['150', true],
  ['151', false],
  ['-1', false],
  ['old', false],
])('the age %s: %s', (text, valid) => {
  expect(isAge(text)).toBe(valid)
})
