import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

const css = readFileSync('src/colours.css', 'utf8')
const colours = new Map(
  [...css.matchAll(/--color-([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]),
)

/** WCAG 2.2, relative luminance. */
function luminance(name: string): number {
  const hex = name === 'white' ? '#ffffff' : colours.get(name)
  if (!hex) throw new Error(`no colour ${name}`)
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
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
  expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
})

it.each([
  ['input', 'card'],
  ['ring', 'background'],
  ['success', 'muted'],
  ['warning', 'muted'],
  ['danger', 'muted'],
  ['primary', 'muted'],
])('%s stands out from %s', (shape, ground) => {
  expect(contrast(shape, ground)).toBeGreaterThanOrEqual(3)
})
