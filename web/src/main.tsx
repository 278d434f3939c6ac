import './lib/session.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { answers } from './lib/answers.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/overlays.css'
import './styles/signs.css'
import './styles/content.css'
import './styles/markdown.css'
import './styles/shell.css'

createRoot(document.getElementById('page')!).render(
  <StrictMode>
    <QueryClientProvider client={answers}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
