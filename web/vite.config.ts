import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  build: {
    outDir: path.join(import.meta.dirname, '..', 'dist', 'page'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's content security policy takes files of its own origin only: nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // Grammars are fetched one by one, also by the thread that colours code.
  worker: { format: 'es' },
  server: {
    // `recollect serve --port 3939` beside `npm run dev`: the page is built on the fly, the data is real.
    proxy: { '^/(api|v1|mcp|open|openapi.json)': { target: 'http://127.0.0.1:3939', changeOrigin: true } },
  },
})
