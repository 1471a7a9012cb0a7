import { fileURLToPath } from 'node:url'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const API = process.env.SEARCHQA_URL ?? 'http://127.0.0.1:8765'

export default defineConfig({
  base: '/ui/',
  plugins: [react(), tailwindcss()],
  resolve: { alias: { '@': fileURLToPath(new URL('src', import.meta.url)) } },
  build: {
    target: 'es2022',
    // Read by scripts/size.mjs.
    manifest: true,
    // The licences of what is bundled, whose texts have to come with it; .ci/notice.py reads it.
    license: { fileName: 'licenses.md' },
    // The Content-Security-Policy lets nothing be loaded from data: but images.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each with what it imports. What pages have in common, React included, is one file, since
          // asking for twenty small ones takes longer than sending them; Recharts takes what is left.
          groups: [
            {
              name: 'shared',
              // Not what the first page does without, with the library of differences.
              test: /src[\\/](components|hooks|lib)[\\/](?!TextDiff|useTestCase)/,
              minShareCount: 2,
            },
            { name: 'charts', test: /node_modules[\\/](recharts|d3-|victory-vendor)/ },
          ],
        },
      },
    },
  },
  // Everything but the pages comes from a running `searchqa up`, its login links included.
  server: { proxy: { '^/(?!ui/)': { target: API } } },
  test: {
    environment: 'jsdom',
    // The files of a process import React, the pages and jsdom once: half of the time of all tests.
    isolate: false,
    setupFiles: ['src/testing/setup.ts'],
    // Many times what a test needs alone: the machine may have much else to do.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
})
