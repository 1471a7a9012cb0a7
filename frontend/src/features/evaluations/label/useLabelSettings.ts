import { useState } from 'react'

import { store, stored } from '@/lib/stored'

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
    return { ...DEFAULTS, ...(JSON.parse(stored(KEY) ?? '{}') as Partial<LabelSettings>) }
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
    store(KEY, JSON.stringify(next))
  }
  return { settings, change }
}
