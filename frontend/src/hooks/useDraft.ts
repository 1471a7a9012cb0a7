import { useState } from 'react'

/** What is typed and chosen in a form. `field` gives a control the value of one name, and takes the
 * value that is given it. */
export function useDraft<Draft extends object>(initial: Draft) {
  const [draft, setDraft] = useState(initial)
  const change = (some: Partial<Draft>) => setDraft((before) => ({ ...before, ...some }))
  const field = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    onValue: (value: Draft[Name]) => setDraft((before) => ({ ...before, [name]: value })),
  })
  return { draft, change, field }
}
