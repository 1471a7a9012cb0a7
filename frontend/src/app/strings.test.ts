import { describe, expect, it } from 'vitest'

import { strings } from './strings'

interface Tree {
  [key: string]: string | Tree
}

/** `nav.menu` → its text. Plural endings are left out: English has two forms where Korean has one. */
function texts(tree: Tree, path: string[] = []): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[[...path, key].join('.').replace(/_(one|other)$/, ''), value] as [string, string]]
      : texts(value, [...path, key]),
  )
}

const ko = new Map(texts(strings.ko))
const en = new Map(texts(strings.en))
const blanks = (text = '') => new Set(text.match(/\{\{.*?\}\}|<\/?\w+>/g))

describe('strings', () => {
  it('have the same keys in both languages', () => {
    expect([...en.keys()].sort()).toEqual([...ko.keys()].sort())
  })

  it.each([...ko.keys()])('%s is filled, with the same blanks', (key) => {
    expect(ko.get(key)?.trim()).toBeTruthy()
    expect(en.get(key)?.trim()).toBeTruthy()
    expect(blanks(en.get(key))).toEqual(blanks(ko.get(key)))
  })

  it('are Korean in Korean and never in English', () => {
    for (const [key, text] of en) expect(text, key).not.toMatch(/[가-힣]/)
    const latin = [...ko].filter(([, text]) => !/[가-힣]/.test(text)).map(([key]) => key)
    expect(latin).toEqual([
      'common.appName',
      // Figures and names alone.
      'quality.true.interval',
      'quality.true.change',
      'evaluations.timeline.callFor',
      'evaluations.testCase.dataset',
      'runs.datasets.versionOf',
      'runs.compare.fromTo',
    ])
  })

  it('keep the keys of verdicts', () => {
    expect(strings.ko.ai).toMatchObject({
      qaCorrectness: '정확성',
      qaUtility: '유용성',
      qaConfidenceHigh: '높은 신뢰도',
      qaConfidenceMedium: '보통 신뢰도',
      qaConfidenceLow: '낮은 신뢰도',
      qaSourceCoverage: '소스 활용',
      qaSourceCited: '인용됨',
      qaSourceNotCited: '미인용',
      qaGroundingIssues: '근거 이슈',
      qaNoIssues: '근거 문제 없음',
    })
  })
})
