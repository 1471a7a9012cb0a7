import { createContext } from 'react'

/** The position of the claim that is shown. By context, so that no mark is made anew; apart from the
 * marks, which load with the Markdown. */
export const ShownClaim = createContext<number | undefined>(undefined)
