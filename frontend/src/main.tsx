import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'

import { startI18n } from '@/app/i18n'
import { routes } from '@/app/routes'
import { createQueryClient } from '@/lib/queryClient'

import './index.css'

startI18n()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createBrowserRouter(routes, { basename: '/ui' })} />
    </QueryClientProvider>
  </StrictMode>,
)
