// `<searchqa-verdict>` for pages of other origins: one file beside the pages, without React.
import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  resolve: { alias: { '@': fileURLToPath(new URL('src', import.meta.url)) } },
  build: {
    target: 'es2022',
    emptyOutDir: false,
    modulePreload: false,
    license: { fileName: 'searchqa-verdict.licenses.md' },
    rolldownOptions: {
      input: 'src/embed/index.ts',
      output: { entryFileNames: 'searchqa-verdict.js' },
      // What React's own modules say of themselves.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
      },
      // Of an icon only its shape is used; the component around it would bring React along.
      treeshake: { manualPureFunctions: ['createLucideIcon'] },
    },
  },
})
