const QUOTED = /[“"]([^”"]+)[”"]/
const bare = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Of questions to go on with, those that are not what was asked, in whole or in part, also where
 * they only quote it. */
export function newQuestions(suggested: readonly string[], asked: string): string[] {
  const question = bare(asked)
  return suggested.filter((each) => {
    const topic = bare(QUOTED.exec(each)?.[1] ?? each)
    return topic !== '' && !question.includes(topic) && !topic.includes(question)
  })
}
