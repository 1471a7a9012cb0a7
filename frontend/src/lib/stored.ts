/** What this browser keeps under a name; null for nothing, and where it gives no leave to store. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text for later visits. Without room, or without leave to store, it holds for this one. */
export function store(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // As the page is without it.
  }
}
