// The start page /logeye/root.html: what this is and the two calls a new user makes. One static
// document without scripts and without anything from elsewhere. People have the console.
import { createHash } from 'node:crypto'

const STYLE = `
:root{color-scheme:light dark;--ink:#17202b;--soft:#5a6775;--paper:#f6f8fa;--card:#fff;--line:#dfe5eb;--mark:#0b6e64;--code:#0f1b26;--code-ink:#d7e3ee}
@media(prefers-color-scheme:dark){:root{--ink:#e5ebf1;--soft:#9aa8b6;--paper:#0e141a;--card:#161e26;--line:#27323d;--mark:#4fc3b4;--code:#0a0f14}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:54rem;margin:0 auto;padding:3.5rem 1.25rem 4rem}
header{display:flex;align-items:center;gap:.9rem}
header svg{width:2.75rem;height:2.75rem;color:var(--mark);flex:none}
h1{margin:0;font-size:2rem;letter-spacing:-.02em}
.lead{margin:.75rem 0 2.25rem;color:var(--soft);font-size:1.1rem;max-width:42rem}
section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem 1.4rem;margin:0 0 1.1rem}
.warning{border-color:#b3261e;border-width:2px;font-weight:600}
h2{margin:0 0 .35rem;font-size:1.08rem}
p{margin:.35rem 0}
pre{margin:.8rem 0 .2rem;padding:.9rem 1rem;border-radius:.5rem;background:var(--code);color:var(--code-ink);overflow-x:auto;font:13.5px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}
ul{margin:.5rem 0 0;padding-left:1.15rem}
a{color:var(--mark)}
a:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
footer{margin-top:2rem;color:var(--soft);font-size:.9rem}
`

/** Nothing may be loaded but the one style block, by its hash. */
export const START_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `publicUrl` without a slash at its end, such as http://localhost:30303. */
export function printStartPage({
  publicUrl,
  version,
  warnings = [],
}: {
  publicUrl: string
  version: string
  /** Stand above all. */
  warnings?: readonly string[]
}): string {
  const base = escapeHtml(publicUrl)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>logeye</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<svg viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="3.2" stroke-linecap="round" aria-hidden="true"><path d="M3 24c6-9.5 13-14 21-14s15 4.500 21 14c-6 9.500-13 14-21 14S9 33.500 3 24z"/><path d="M17 20h14M17 25h14M17 30h8"/></svg>
<h1>logeye</h1>
</header>
<p class="lead">Events come in over HTTP, are on disk when the answer says 200, and are found by a search about a second later.</p>
${warnings.map((warning) => `\n<section class="warning" role="alert"><p>${escapeHtml(warning)}</p></section>`).join('')}
<section>
<h2>Send an event</h2>
<p>The token of the listener account was printed once at the first start.</p>
<pre>curl -X POST '${base}/logeye/api/logger.jsp?token=TOKEN&amp;hostName=web-01' \\
  -H 'Content-Type: application/json' \\
  -d '{"message":"disk full on /var","level":"ERROR"}'</pre>
<p>An array, lines of JSON, and gzip are taken as well.</p>
</section>

<section>
<h2>Search</h2>
<p>With the user and password that were printed at the first start, in XML or CSV.</p>
<pre>curl -u 'admin:PASSWORD' -G '${base}/logeye/view/api/widgetAPI.jsp' \\
  -d widgetId=searchAPI -d fixedInterval=last15Minutes -d resultFormat=csv \\
  --data-urlencode 'searchQuery=disk full'</pre>
<p>A query may go on after a bar: <code>* | count | group by host</code></p>
</section>

<section>
<h2>State of this server</h2>
<ul>
<li><a href="/logeye/health/ready">Ready</a>: every engine answers</li>
<li><a href="/logeye/health/live">Live</a>: the process answers</li>
<li><a href="/logeye/restapi/version">Version</a></li>
</ul>
</section>

<footer>logeye ${escapeHtml(version)}</footer>
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
