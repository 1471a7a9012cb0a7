import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { useDebounced } from '@/hooks/useDebounced'
import { api, data } from '@/lib/api'
import { showCommandDialog } from '@/lib/commandDialog'
import { changeLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/lib/language'
import { matches } from '@/lib/matches'
import { changeTheme, THEMES } from '@/lib/theme'

import { type Group, idIn, type Item } from './items'
import { recentVisits } from './recent'

/** A page of the menu: its path below /ui, its name, and its names in all languages. */
export interface MenuPage {
  to: string
  text: string
  names: string[]
}

const link = (group: Group, id: string, text: string, to: string): Item => ({
  id,
  group,
  text,
  action: { to },
})

/** What fits the text, all pages and commands where it is empty. `pending`: more may follow. */
export function useItems(text: string, pages: readonly MenuPage[]) {
  const wanted = text.trim()
  const id = idIn(wanted)
  const searched = useDebounced(id === null ? wanted : '')
  const search = useSearch(searched)
  const commands = useCommands()
  const fits = (...names: string[]) => wanted === '' || matches(wanted, ...names)
  const found = useFound(search.data, wanted)
  const recent = wanted === '' ? recentVisits() : []
  const items: Item[] = [
    ...recent.map((visit) => link('recent', `recent${visit.to}`, visit.text, visit.to)),
    ...useEvaluation(id),
    ...pages
      .filter(({ to, names }) => fits(...names) && !recent.some((visit) => visit.to === to))
      .map((page) => link('pages', page.to, page.text, page.to)),
    ...commands.filter((command) => fits(command.text)),
    ...(id === null && wanted.length >= MIN_CHARS ? found : []),
  ]
  const due = id === null && wanted.length >= MIN_CHARS
  return {
    items,
    pending: due && (searched !== wanted || search.isFetching),
    failed: due && search.isError,
  }
}

function useEvaluation(id: string | null): Item[] {
  const { t } = useTranslation('commands')
  if (id === null) return []
  return [link('evaluation', 'evaluation', t('openEvaluation', { id }), `/evaluations/${id}`)]
}

function useCommands(): Item[] {
  const { t } = useTranslation('commands')
  return [
    ...THEMES.map((theme): Item => ({
      id: `theme-${theme}`,
      group: 'commands',
      text: t(`theme.${theme}`),
      action: () => changeTheme(theme),
    })),
    ...LANGUAGES.map((language): Item => ({
      id: `language-${language}`,
      group: 'commands',
      text: t('language', { name: LANGUAGE_NAMES[language] }),
      action: () => void changeLanguage(language),
    })),
    {
      id: 'keys',
      group: 'commands',
      text: t('showKeys'),
      action: () => showCommandDialog('keys'),
    },
  ]
}

type Found = NonNullable<ReturnType<typeof useSearch>['data']>

function useFound(found: Found | undefined, text: string): Item[] {
  const { t } = useTranslation('commands')
  if (!found) return []
  const all = (to: string, name: 'question' | 'title') =>
    `${to}?${new URLSearchParams({ [name]: text })}`
  // A question that was asked again is one row, of its newest answer; all are behind the last row.
  const questions = found.evaluations
    .filter(({ question }, at, each) => each.findIndex((one) => one.question === question) === at)
    .map(({ id, question }) => link('questions', id, question, `/evaluations/${id}`))
  const notes = found.notes.map(({ id, title }) => link('notes', id, title, `/notes/${id}`))
  const allQuestions = all('/evaluations', 'question')
  if (questions.length > 0)
    questions.push(link('questions', 'all-questions', t('allQuestions', { text }), allQuestions))
  if (notes.length > 0)
    notes.push(link('notes', 'all-notes', t('allNotes', { text }), all('/notes', 'title')))
  return [...questions, ...notes]
}

/** Shorter texts are in too many titles. */
const MIN_CHARS = 2
const LIMIT = 5

/** Notes by their titles and current evaluations by their questions, a few of each. */
function useSearch(text: string) {
  return useQuery({
    queryKey: ['commands', text],
    queryFn: async ({ signal }) => {
      const [notes, evaluations] = await Promise.all([
        data(api.GET('/notes', { params: { query: { title: text, limit: LIMIT } }, signal })),
        data(
          api.GET('/qa-evaluations', {
            params: { query: { question: text, current: true, limit: LIMIT } },
            signal,
          }),
        ),
      ])
      return { notes: notes.items, evaluations: evaluations.items }
    },
    enabled: text.length >= MIN_CHARS,
    placeholderData: keepPreviousData,
  })
}
