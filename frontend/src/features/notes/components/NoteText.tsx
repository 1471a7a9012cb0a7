import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

import { Button, Table, Td, Th } from '@/components/ui'

// Longer Markdown makes the page wait.
const SHOWN_AT_FIRST = 50_000

/** The text of a note: Markdown without HTML and pictures. */
export function NoteText({ content }: { content: string }) {
  const { t, i18n } = useTranslation('notes')
  const [whole, setWhole] = useState(false)
  const cut = !whole && content.length > SHOWN_AT_FIRST
  if (content.trim() === '') return <p className="text-muted-foreground">{t('detail.blank')}</p>
  return (
    <div className="answer [&_p]:whitespace-pre-line">
      <Markdown skipHtml remarkPlugins={[remarkGfm]} components={COMPONENTS}>
        {cut ? content.slice(0, SHOWN_AT_FIRST) : content}
      </Markdown>
      {cut && (
        <Button
          variant="outline"
          className="mt-4 justify-self-start"
          onClick={() => setWhole(true)}
        >
          {t('detail.whole', { length: content.length.toLocaleString(i18n.language) })}
        </Button>
      )}
    </div>
  )
}

const heading = 'mt-2 font-semibold'

// Below the title of the page.
const COMPONENTS: Components = {
  h1: ({ children }) => <h2 className={`${heading} text-xl`}>{children}</h2>,
  h2: ({ children }) => <h2 className={`${heading} text-lg`}>{children}</h2>,
  h3: ({ children }) => <h3 className={heading}>{children}</h3>,
  h4: ({ children }) => <h4 className={heading}>{children}</h4>,
  h5: ({ children }) => <h5 className={heading}>{children}</h5>,
  h6: ({ children }) => <h6 className={heading}>{children}</h6>,
  img: ({ alt }) => <>{alt}</>,
  // The renderer has emptied the addresses that are none of the web.
  a: ({ href, children }) =>
    href && /^(https?:|[^:]*$)/i.test(href) ? (
      <a href={href} rel="noreferrer">
        {children}
      </a>
    ) : (
      <>{children}</>
    ),
  table: ({ children }) => <Table>{children}</Table>,
  th: ({ children }) => <Th>{children}</Th>,
  td: ({ children }) => <Td>{children}</Td>,
}
