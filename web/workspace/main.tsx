import '@fontsource-variable/inter/wght.css'
import '../shared/styles/tokens.css'
import '../shared/styles/base.css'
import { render } from 'preact'
import { followLinks } from '../shared/address.ts'
import { applySettings } from '../shared/settings.ts'
import { App } from './shell/app.tsx'
import { isWorkspacePage } from './shell/paths.ts'
import './workspace.css'

const page = document.querySelector('#page')
applySettings()
followLinks(isWorkspacePage)
if (page !== null) render(<App />, page)
