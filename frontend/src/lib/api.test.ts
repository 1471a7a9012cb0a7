import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'

import { server } from '@/testing/server'

import { api, data } from './api'

const call = () => data(api.GET('/notebooks'))

describe('data', () => {
  it('gives what the API answers, asked in the language of the page', async () => {
    server.use(
      http.get('/notebooks', ({ request }) =>
        HttpResponse.json([{ name: request.headers.get('Accept-Language') }]),
      ),
    )
    expect(await call()).toEqual([{ name: 'ko' }])
  })

  it('throws the problem document, and when to ask again', async () => {
    const problem = {
      type: 'urn:searchqa:problem:too-many-requests',
      title: 'Too Many Requests',
      status: 429,
      detail: '요청이 너무 많습니다.',
    }
    server.use(
      http.get('/notebooks', () =>
        HttpResponse.json(problem, { status: 429, headers: { 'Retry-After': '7' } }),
      ),
    )
    await expect(call()).rejects.toMatchObject({
      code: 'too-many-requests',
      message: '요청이 너무 많습니다.',
      retryAfter: 7,
    })
  })

  it('throws the status of what is no problem document', async () => {
    server.use(http.get('/notebooks', () => new HttpResponse('<h1>Bad', { status: 502 })))
    await expect(call()).rejects.toMatchObject({ status: 502, message: '' })
  })

  it('throws what fetch throws when the server is away', async () => {
    server.use(http.get('/notebooks', () => HttpResponse.error()))
    await expect(call()).rejects.toBeInstanceOf(TypeError)
  })
})
