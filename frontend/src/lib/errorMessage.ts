import type { TFunction } from 'i18next'

import { ApiError } from './problem'

/** One sentence for the reader: the API's own, or what to do when it cannot be reached. */
export function errorMessage(error: unknown, t: TFunction): string {
  if (error instanceof ApiError) {
    return error.problem.detail || t('error.status', { status: error.status })
  }
  return error instanceof TypeError ? t('error.unreachable') : t('error.unexpected')
}
