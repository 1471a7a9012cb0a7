import i18n from 'i18next'

import { ApiError } from './problem'

/** One sentence for the reader: the API's own, or what to do when it cannot be reached. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError) {
    return error.problem.detail || i18n.t('error.status', { status: error.status })
  }
  return i18n.t(error instanceof TypeError ? 'error.unreachable' : 'error.unexpected')
}
