import '@testing-library/jest-dom/vitest'
import { cleanup, configure, prettyDOM } from '@testing-library/react'
import { toast } from 'sonner'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'

import { startI18n } from '@/app/i18n'
import { strings } from '@/app/strings'
import { showCommandDialog } from '@/lib/commandDialog'
import { changeLanguage } from '@/lib/language'
import { setSignedOut } from '@/lib/session'

import { server } from './server'

startI18n(strings)
// Pages are loaded when they are opened, which takes seconds where many tests run at once.
// While a test waits, each look fails: the document is printed when somebody reads the error.
configure({
  asyncUtilTimeout: 30_000,
  getElementError: (message, container) => {
    const text = () => [message, prettyDOM(container)].filter(Boolean).join('\n\n')
    return Object.defineProperty(new Error(), 'message', { get: text, configurable: true })
  },
})
// The router restores where the reader had scrolled to; jsdom has neither scrolling nor sizes.
window.scrollTo = () => undefined
window.scrollBy = () => undefined
window.ResizeObserver = class {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
}
Element.prototype.scrollIntoView = () => undefined
// Toasts capture the pointer to be swiped away; jsdom has no pointer capture.
Element.prototype.setPointerCapture = () => undefined

const unanswered: string[] = []

// This file runs for each test file, and the files of a process share modules and the document:
// what one leaves behind, the next would find.
beforeAll(() => {
  // jsdom matches each rule with each element whose style is asked for; nothing here depends on one.
  document.head.querySelectorAll('style').forEach((style) => style.remove())
  server.events.on('request:unhandled', ({ request }) => {
    unanswered.push(`${request.method} ${request.url}`)
  })
  server.listen({ onUnhandledRequest: 'error' })
})
beforeEach(async () => {
  localStorage.clear()
  await changeLanguage('ko')
})
afterEach(() => {
  // A test that failed may have left them, and all after it would wait for ever.
  vi.useRealTimers()
  cleanup()
  setSignedOut(false)
  toast.dismiss()
  showCommandDialog(null)
  server.resetHandlers()
  // Code under test may show the failed request as an error; the test must fail all the same.
  const missed = unanswered.splice(0)
  if (missed.length) throw new Error(`no handler for ${missed.join(', ')}`)
})
afterAll(() => {
  server.close()
  server.events.removeAllListeners()
  sessionStorage.clear()
  delete document.documentElement.dataset.theme
})
