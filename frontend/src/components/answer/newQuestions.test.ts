import { expect, it } from 'vitest'

import { newQuestions } from './AnswerVerdict'

const ASKED = 'PCR 어닐링 온도와 시간은 어떻게 설정하나요?'

it.each([
  ['another question', '변성은 몇 도에서 하나요?', true],
  ['the question again', 'PCR 어닐링 온도와 시간은 어떻게 설정하나요', false],
  [
    'a quotation of it',
    '“어닐링 온도와 시간은 어떻게 설정하나요”에 대해서도 알려 드릴까요?',
    false,
  ],
  ['more words around it', `${ASKED} 자세히 알려 주세요.`, false],
  ['a quotation of something else', '“버퍼의 농도”에 대해서도 알려 드릴까요?', true],
  ['nothing', '?', false],
])('%s', (_, suggested, isNew) => {
  expect(newQuestions([suggested], ASKED)).toEqual(isNew ? [suggested] : [])
})
