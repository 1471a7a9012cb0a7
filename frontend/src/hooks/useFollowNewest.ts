import { useEffect, useRef, type RefObject } from 'react'

// The height of the header, `h-14` in Shell.tsx, and some air.
const HEADER_PX = 72
const AIR_PX = 16

const SCROLLING = ['wheel', 'touchmove'] as const
const ACTING = ['pointerdown', 'keydown'] as const
const PAGING_KEYS = ['PageUp', 'PageDown']

/** Keeps the newest exchange in view from the moment it is asked, however it and those before it
 * grow, until the reader scrolls or turns to something other than the composer. Of an exchange that
 * does not fit between header and composer, the beginning stays in view.
 *
 * asked: the message that is being answered; what is being answered when the page opens is not
 * followed.
 *
 * opened: the newest message of a conversation that is opened at its end, which is followed from
 * there, unless the page is where its reader had scrolled to before. */
export function useFollowNewest(asked: string | undefined, opened?: string) {
  const conversation = useRef<HTMLElement>(null)
  const composer = useRef<HTMLDivElement>(null)
  const following = useRef(false)
  const last = useRef(asked)
  const isOpen = useRef(false)
  useEffect(() => {
    const follow = () => {
      if (following.current) bringIntoView(conversation, composer)
    }
    const leave = () => {
      following.current = false
    }
    const leaveUnlessComposing = (event: Event) => {
      const composing = event.target instanceof Node && composer.current?.contains(event.target)
      const paging = event instanceof KeyboardEvent && PAGING_KEYS.includes(event.key)
      if (!composing || paging) leave()
    }
    const sizes = new ResizeObserver(follow)
    // With the page, what stands above the conversation: its title may take another line.
    sizes.observe(document.body)
    if (conversation.current) sizes.observe(conversation.current)
    for (const name of SCROLLING) window.addEventListener(name, leave, { passive: true })
    for (const name of ACTING) window.addEventListener(name, leaveUnlessComposing)
    return () => {
      sizes.disconnect()
      for (const name of SCROLLING) window.removeEventListener(name, leave)
      for (const name of ACTING) window.removeEventListener(name, leaveUnlessComposing)
    }
  }, [])
  useEffect(() => {
    if (asked !== undefined && asked !== last.current) {
      following.current = true
      bringIntoView(conversation, composer)
    }
    last.current = asked
  }, [asked])
  useEffect(() => {
    if (isOpen.current || opened === undefined) return
    isOpen.current = true
    if (window.scrollY > 0 || following.current) return
    following.current = true
    bringIntoView(conversation, composer)
  }, [opened])
  return { conversation, composer }
}

/** Scrolls down as far as the end of the newest exchange needs, but not past its beginning. */
function bringIntoView(
  conversation: RefObject<HTMLElement | null>,
  composer: RefObject<HTMLElement | null>,
): void {
  const newest = [...(conversation.current?.querySelectorAll('article') ?? [])].at(-1)
  if (!newest || !composer.current) return
  const { top, bottom } = newest.getBoundingClientRect()
  const hidden = bottom + AIR_PX - composer.current.getBoundingClientRect().top
  const by = Math.min(hidden, top - HEADER_PX)
  if (by > 0) window.scrollBy(0, by)
}
