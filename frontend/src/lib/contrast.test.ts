import { readFileSync, readdirSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const PAIR = /--color-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g

const css = readFileSync('src/colours.css', 'utf8')
const colours = [...css.matchAll(PAIR)]
const THEMES = {
  light: new Map(colours.map(([, name = '', light = '']) => [name, light])),
  dark: new Map(colours.map(([, name = '', , dark = '']) => [name, dark])),
}

type Rgb = [r: number, g: number, b: number]

/** Each part 0 to 1. */
function rgb(hex: string): Rgb {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
  return [r, g, b]
}

/** WCAG 2.2, relative luminance. */
function luminance(parts: Rgb): number {
  const [r = 0, g = 0, b = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG 2.2, contrast ratio, 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

it('has every colour in the light and in the dark', () => {
  expect(colours.map(([text]) => text)).toEqual(css.match(/--color-.*;/g))
})

// Of the palette that Tailwind brings along.
const FOREIGN =
  /(?<![\w-])(?:bg|text|border|ring|outline|decoration|divide|fill|stroke)-(?:black|white|[a-z]+-\d{2,3})(?![\w-])/
// Behind a dialog, in either theme.
const DIMMED = 'bg-black/50'

it('is all that the pages are coloured by', () => {
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.(tsx?|css)$/.test(file) || file.includes('.test.')) continue
    const code = readFileSync(`src/${file}`, 'utf8').replace(DIMMED, '')
    expect.soft(FOREIGN.exec(code)?.[0], file).toBeUndefined()
    for (const [, name] of code.matchAll(/var\(--color-([\w-]+)\)/g)) {
      expect.soft([...THEMES.light.keys()], file).toContain(name)
    }
  }
})

describe.each(['light', 'dark'] as const)('in the %s', (theme) => {
  /** `name`, or `name/90` for a colour through which 10 % of the card is seen. */
  function colour(name: string): Rgb {
    const [solid = '', percent = '100'] = name.split('/')
    const found = THEMES[theme].get(solid)
    if (!found) throw new Error(`no colour ${solid}`)
    if (percent === '100') return rgb(found)
    const share = Number(percent) / 100
    const card = colour('card')
    const mixed = rgb(found).map((part, at) => part * share + (card[at] ?? 0) * (1 - share))
    return mixed as Rgb
  }

  it.each([
    ['foreground', ['background', 'card', 'muted']],
    ['muted-foreground', ['background', 'card', 'muted']],
    ['primary', ['background', 'card', 'muted']],
    ['primary-foreground', ['primary', 'primary/90']],
    ['accent-foreground', ['accent']],
    ['success-foreground', ['success-soft', 'card']],
    ['warning-foreground', ['warning-soft', 'card']],
    ['danger-foreground', ['danger-soft', 'card']],
    // Messages, and buttons that delete.
    ['background', ['foreground', 'danger', 'danger/90']],
    // Names of series in legends, tooltips and at bars; numbers of the axes.
    ['success', ['background', 'card']],
    ['warning', ['background', 'card']],
    ['danger', ['background', 'card']],
    ['input', ['card']],
  ])('%s can be read on %j', (text, grounds) => {
    for (const ground of grounds) {
      expect.soft(contrast(colour(text), colour(ground)), ground).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each([
    ['input', ['background', 'card']],
    ['ring', ['background', 'card', 'muted']],
    // Bars on their tracks, borders of badges, and the underlines of claims.
    ['success', ['muted', 'card']],
    ['warning', ['muted', 'card', 'warning-soft']],
    ['danger', ['muted', 'card']],
    ['primary', ['muted', 'card']],
  ])('%s stands out from %j', (shape, grounds) => {
    for (const ground of grounds) {
      expect.soft(contrast(colour(shape), colour(ground)), ground).toBeGreaterThanOrEqual(3)
    }
  })
})
