import { useState } from 'react'

const KEY = 'searchqa.labelling'

export interface LabelSettings {
  /** Empty: the token's name. */
  author: string
  /** The judge's verdict is shown after the label. */
  hidden: boolean
  keys: boolean
}

const DEFAULTS: LabelSettings = { author: '', hidden: true, keys: true }

function read(): LabelSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<LabelSettings>
    return { ...DEFAULTS, ...stored }
  } catch {
    return DEFAULTS
  }
}

/** How somebody likes to label, as the browser remembers it. */
export function useLabelSettings() {
  const [settings, setSettings] = useState(read)
  const change = (changes: Partial<LabelSettings>) => {
    const next = { ...settings, ...changes }
    setSettings(next)
    try {
      localStorage.setItem(KEY, JSON.stringify(next))
    } catch {
      // Without leave to store it holds for this visit.
    }
  }
  return { settings, change }
}
