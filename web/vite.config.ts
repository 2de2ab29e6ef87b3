// The pages: each is an HTML file with its scripts and styles beside it under hashed names. The
// build script of the product runs this and compresses what comes out (infra/scripts/build.mjs).
import { defineConfig } from 'vite'

/** As query/pages/console-table.ts and portal/operation/workspace-routes.ts serve them. */
const CONSOLE = '/logeye/'
const WORKSPACE = '/portal/'

export default defineConfig({
  root: import.meta.dirname,
  base: CONSOLE,
  // Two pages with one build, each below the path of its server. Scripts and styles name what they
  // load by its place beside them.
  experimental: {
    renderBuiltUrl: (name, { hostType, hostId }) =>
      hostType === 'html'
        ? `${hostId.startsWith('workspace/') ? WORKSPACE : CONSOLE}${name}`
        : { relative: true },
  },
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    assetsDir: 'assets',
    // A data address is none that the policy of the pages lets in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        console: `${import.meta.dirname}/console/index.html`,
        workspace: `${import.meta.dirname}/workspace/index.html`,
      },
    },
  },
})
