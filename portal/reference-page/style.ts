// The style sheet of the portal's pages for people: a menu to the left, what is told in the middle,
// calls and answers to the right; one column on narrow screens.
export const STYLE = `
:root {
  --ink: #1f2733; --soft: #5b6675; --faint: #8490a0; --line: #e5e9ef; --paper: #fff; --wash: #f6f8fa;
  --link: #2f55d4; --night: #16202e; --night-line: #26344a; --night-ink: #dfe7f1;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 15px/1.6 var(--sans); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: 0.87em; }
p, ul { margin: 0 0 12px; }
h1 { margin: 0 0 20px; font-size: 30px; line-height: 1.2; letter-spacing: -0.02em; }
h2 { margin: 0; font-size: 24px; letter-spacing: -0.015em; }
h3 { margin: 0 0 10px; font-size: 18px; line-height: 1.35; letter-spacing: -0.01em; }
h4 { margin: 28px 0 0; padding-bottom: 8px; font-size: 13px; font-weight: 600; }
p code, li code { padding: 1px 5px; background: var(--wash); border: 1px solid var(--line); border-radius: 4px; overflow-wrap: anywhere; }

nav { position: fixed; inset: 0 auto 0 0; width: 264px; padding: 28px 20px 40px 28px; overflow-y: auto; background: var(--wash); border-right: 1px solid var(--line); font-size: 13.5px; line-height: 1.45; scrollbar-width: thin; }
.brand { margin-bottom: 20px; font-weight: 650; font-size: 15px; }
.brand a { color: var(--ink); }
.brand span { color: var(--faint); font-weight: 400; font-size: 12.5px; }
nav ul { margin: 0; padding: 0; list-style: none; }
.menu > li { margin-bottom: 16px; }
.menu > li > a { color: var(--ink); font-weight: 600; }
.menu ul { margin-top: 4px; }
.menu ul a { display: block; padding: 3px 0; color: var(--soft); }

main { margin-left: 264px; }
.intro, .call { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 56px; max-width: 1320px; padding: 44px 48px; border-bottom: 1px solid var(--line); }
.area, .schema { max-width: 1320px; padding: 44px 48px 8px; }
.schema { padding: 28px 48px; border-bottom: 1px solid var(--line); }
.schema > * { max-width: 760px; }
.call, .area, .schema { scroll-margin-top: 0; }
.told ul:not(.fields) { padding-left: 20px; }
.told ul:not(.fields) li { margin-bottom: 6px; }
.anchor { color: inherit; }
.callers { color: var(--soft); font-size: 14px; }
.told > details { margin-top: 20px; }
.line { margin-bottom: 14px; }
.line code { overflow-wrap: anywhere; background: none; border: 0; padding: 0; }
.line code i { color: var(--link); font-style: normal; }
.method { display: inline-block; min-width: 46px; padding: 1px 7px; border-radius: 4px; font: 600 11.5px/1.6 var(--mono); text-align: center; color: #1c5fa8; background: #e6f1fc; }
.method.post { color: #1b6b43; background: #e2f5ea; }
.method.patch, .method.put { color: #8a5a00; background: #fdf1d8; }
.method.delete { color: #a32626; background: #fde8e8; }

.fields { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.fields > li { padding: 12px 0; border-bottom: 1px solid var(--line); }
.fields > li:last-child { border-bottom: 0; }
.fields p { margin: 3px 0 0; color: var(--soft); font-size: 14px; }
.field { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 8px; }
.field .name { padding: 0; background: none; border: 0; font-weight: 600; color: var(--ink); }
.kind { color: var(--faint); font-size: 13px; }
.must { color: #b4540a; font-size: 11px; font-weight: 600; text-transform: uppercase; letter-spacing: 0.04em; }
.fields p.limits { color: var(--faint); font-size: 12.5px; overflow-wrap: anywhere; }
.limits code { font-size: 0.95em; }
details { margin-top: 8px; }
summary { width: fit-content; max-width: 100%; padding: 2px 10px; border: 1px solid var(--line); border-radius: 12px; color: var(--soft); font-size: 12.5px; cursor: pointer; }
details[open] > summary { margin-bottom: 8px; }
details > .fields { padding: 0 14px; border: 1px solid var(--line); border-radius: 8px; }

.shown { position: sticky; top: 24px; align-self: start; min-width: 0; }
.box { margin-bottom: 20px; overflow: hidden; border-radius: 8px; background: var(--night); color: var(--night-ink); }
.label { margin: 0; padding: 8px 16px; border-bottom: 1px solid var(--night-line); color: #93a4ba; font-size: 12px; }
pre { margin: 0; max-height: 420px; padding: 14px 16px; overflow: auto; font-size: 12.5px; line-height: 1.55; scrollbar-width: thin; scrollbar-color: #3b4d66 transparent; }
pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
pre i { font-style: normal; }
pre .k { color: #9cc4ff; }
pre .s { color: #a8e0b4; }
pre .n { color: #f2c38b; }

.plain { max-width: 980px; margin: 0 auto; padding: 44px 24px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th, td { padding: 9px 12px 9px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; font-size: 13px; }
tr:target td { background: #fff8e1; }
td code { white-space: nowrap; padding: 0; border: 0; background: none; font-weight: 600; }

@media (max-width: 1120px) {
  .intro, .call { grid-template-columns: minmax(0, 1fr); gap: 24px; padding: 36px 32px; }
  .area, .schema { padding-left: 32px; padding-right: 32px; }
  .shown { position: static; }
}
@media (max-width: 760px) {
  nav { position: static; width: auto; padding: 18px 20px; border-right: 0; border-bottom: 1px solid var(--line); }
  .brand { margin-bottom: 10px; }
  .menu { display: flex; flex-wrap: wrap; gap: 4px 16px; }
  .menu > li { margin: 0; }
  .menu ul { display: none; }
  main { margin-left: 0; }
  .intro, .call { padding: 28px 20px; }
  .area, .schema { padding: 28px 20px 4px; }
  .schema { padding-bottom: 20px; }
  h1 { font-size: 25px; }
  h2 { font-size: 21px; }
  pre { max-height: 340px; }
  td code { white-space: normal; overflow-wrap: anywhere; }
}
@media print { nav { display: none; } main { margin: 0; } .shown { position: static; } pre { max-height: none; } }
`
