function normalized(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase()
}

/** Whether one of the names has all words of the text, in any order. */
export function matches(text: string, ...names: string[]): boolean {
  const words = normalized(text).split(/\s+/)
  return names.some((name) => words.every((word) => normalized(name).includes(word)))
}
