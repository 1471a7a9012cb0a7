// Has an answer judged from JavaScript: waits for one verdict, and hands another over in the
// background. Build the client once: node clients/typescript/build.mjs
import { Background, SearchQA } from '../clients/typescript/dist/index.js'

const { SEARCHQA_URL: url, SEARCHQA_TOKEN: token } = process.env
const client = new SearchQA({ url, token })
const about = {
  question: '출장 숙박비는 얼마까지 정산되나요?',
  notes: [{ title: '출장 규정', content: '출장 숙박비는 1박에 15만 원까지 정산한다.' }],
}

const verdict = await client.judge({ ...about, answer: '1박에 15만 원까지 정산됩니다.' })
console.log(verdict.status, verdict.qa_evaluation?.outcome ?? verdict.qa_evaluation?.confidence)

const background = new Background(client)
background.submit({ ...about, answer: '1박에 20만 원까지 정산됩니다.' })
await background.close()
console.log(background.stats)
