import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

type Colours = Map<string, string>

function coloursOf(file: string): Colours {
  const css = readFileSync(file, 'utf8')
  return new Map(
    [...css.matchAll(/--color-([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [
      name,
      hex,
    ]),
  )
}

const light = coloursOf('src/colours.css')
// Of `<searchqa-verdict>` alone.
const dark = coloursOf('src/embed/dark.css')

/** WCAG 2.2, relative luminance. */
function luminance(colours: Colours, name: string): number {
  const hex = name === 'white' ? '#ffffff' : colours.get(name)
  if (!hex) throw new Error(`no colour ${name}`)
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(colours: Colours, one: string, other: string): number {
  const [less = 0, more = 0] = [one, other]
    .map((name) => luminance(colours, name))
    .sort((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

it.each([
  ['foreground', 'background'],
  ['foreground', 'card'],
  ['foreground', 'muted'],
  ['muted-foreground', 'background'],
  ['muted-foreground', 'card'],
  ['muted-foreground', 'muted'],
  ['primary-foreground', 'primary'],
  ['accent-foreground', 'accent'],
  ['success-foreground', 'success-soft'],
  ['warning-foreground', 'warning-soft'],
  ['danger-foreground', 'danger-soft'],
  ['danger', 'card'],
  ['white', 'danger'],
])('%s can be read on %s', (text, ground) => {
  expect(contrast(light, text, ground)).toBeGreaterThanOrEqual(4.5)
})

it.each([
  ['input', 'card'],
  ['ring', 'background'],
  ['success', 'muted'],
  ['warning', 'muted'],
  ['danger', 'muted'],
  ['primary', 'muted'],
])('%s stands out from %s', (shape, ground) => {
  expect(contrast(light, shape, ground)).toBeGreaterThanOrEqual(3)
})

it('has every colour in the dark as well', () => {
  expect([...dark.keys()]).toEqual([...light.keys()])
})

it.each([
  ['foreground', 'card', 4.5],
  ['muted-foreground', 'card', 4.5],
  ['success-foreground', 'success-soft', 4.5],
  ['warning-foreground', 'warning-soft', 4.5],
  ['danger-foreground', 'danger-soft', 4.5],
  ['warning-foreground', 'card', 4.5],
  ['danger-foreground', 'card', 4.5],
  ['input', 'card', 3],
  ['warning', 'card', 3],
  ['danger', 'card', 3],
  ['ring', 'card', 3],
])('in the dark %s stands out from %s', (one, other, least) => {
  expect(contrast(dark, one, other)).toBeGreaterThanOrEqual(least)
})
