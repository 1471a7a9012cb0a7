import curl from './snippets/curl.txt?raw'
import langchain from './snippets/langchain.txt?raw'
import llamaIndex from './snippets/llama_index.txt?raw'
import mcp from './snippets/mcp.txt?raw'
import opentelemetry from './snippets/opentelemetry.txt?raw'
import python from './snippets/python.txt?raw'
import typescript from './snippets/typescript.txt?raw'

/** The ways to send answers, with the names by which they are known in both languages. */
export const SNIPPETS = {
  python: { name: 'Python', text: python },
  typescript: { name: 'TypeScript', text: typescript },
  curl: { name: 'curl', text: curl },
  opentelemetry: { name: 'OpenTelemetry', text: opentelemetry },
  langchain: { name: 'LangChain', text: langchain },
  llamaIndex: { name: 'LlamaIndex', text: llamaIndex },
  mcp: { name: 'MCP', text: mcp },
} as const

export type Way = keyof typeof SNIPPETS

/** The text of a way with its blanks filled. */
export const filled = (way: Way, blanks: Record<string, string>) =>
  SNIPPETS[way].text.trim().replace(/{{(\w+)}}/g, (_, name: string) => blanks[name] ?? '')
