import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Copies a text, and says whether that worked. */
export function useCopy(text: string) {
  const { t } = useTranslation('settings')
  const [told, setTold] = useState<'copied' | 'copyByHand'>()
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setTold('copied')
    } catch {
      // The clipboard is there for pages of https and of this machine only.
      setTold('copyByHand')
    }
  }
  return { copy, told: told && t(`tokens.${told}`) }
}
