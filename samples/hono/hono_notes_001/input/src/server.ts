import { serve } from '@hono/node-server'
import { Hono } from 'hono'

export interface Note {
  id: number
  title: string
  body: string
  tags: string[]
  version: number
}

const app = new Hono()

// Still to come: the routes.

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) })
