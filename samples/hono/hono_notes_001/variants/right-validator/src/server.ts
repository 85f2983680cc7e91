import { serve } from '@hono/node-server'
import { app } from './app.js'

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.close())
