// browse.mjs NAME SHOTS: views every kind of page that is served at BASE in Chromium, as phones and screens do, in light and dark, with
// script and without. Fails on an axe violation (WCAG 2.0 to 2.2 A and AA, best practice), on text that differs without script, on a page wider
// than the screen, on errors in the console, on a request to another host, and on anything foreign that has come alive: a dialog, a script, a
// style, a frame, a handler, a form or link that leads where ours never do. Keeps a picture of every view in SHOTS.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {chromium} from 'playwright-core';

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const VIEWS = [360, 1280].flatMap(width => [
  {width, scheme: 'light', script: true}, {width, scheme: 'dark', script: true}, {width, scheme: 'light', script: false},
]);
const ONCE = VIEWS.at(-3); // feed documents, which look alike everywhere, are viewed so alone

// most is how many pages of a kind are looked at.
const most = kind => ({story: 2, 'search-query': 3, 'river-query': 1}[kind] ?? (/json|opml|css|png|query/.test(kind) ? 0 : 1));

const [name, shots] = process.argv.slice(2);
const base = process.env.BASE;
const credentials = {username: 'desk', password: '0123456789abcdef'};
let checks = 0, failed = 0;
function check(ok, what) {
  checks++;
  if (ok) return;
  failed++;
  console.log('  FAIL ' + what);
}

// alive lists what no page of ours has, as far as a browser sees it.
function alive() {
  const found = [...document.querySelectorAll('script, style, iframe, frame, object, embed, base, template, video, audio, canvas, math, link[rel=preload], meta[http-equiv], svg:not(.bars), img:not(.icon)')].map(e => e.outerHTML.slice(0, 120));
  for (const e of document.querySelectorAll('*')) {
    for (const a of e.attributes) {
      const leads = ['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'poster', 'background'].includes(a.name);
      if (/^on|^style$|^srcdoc$/i.test(a.name)) found.push(`${e.tagName} ${a.name}`);
      if (leads && !/^https?:$/.test(new URL(a.value, document.baseURI).protocol)) found.push(`${e.tagName} leads to ${a.value.slice(0, 80)}`);
      if (/action$/.test(a.name) && new URL(a.value, document.baseURI).origin !== location.origin) found.push(`form to ${a.value}`);
    }
  }
  return found;
}

// links gives the addresses of our own that a page links to.
async function links(page) {
  return page.evaluate(() => [...document.querySelectorAll('a[href]')].map(a => a.href).filter(h => new URL(h).origin === location.origin).map(h => h.replace(/#.*/, '')));
}

// kind says what an address shows.
const kind = address => {
  const {pathname, search} = new URL(address);
  const suffix = /\.(atom|rss|json|opml|css|png)$/.exec(pathname)?.[1] ?? '';
  return [pathname.split('/')[1], pathname.endsWith('/edit') ? 'edit' : '', suffix, search ? 'query' : ''].filter(Boolean).join('-') || 'river';
};

async function discover(context) {
  const queue = [base + '/', base + '/search?q=harbor', base + '/search?q=nothingatall', base + '/search?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22', base + '/?window=all'];
  const seen = new Set(queue), kept = new Map();
  const page = await context.newPage();
  while (queue.length) {
    const address = queue.shift(), of = kept.get(kind(address)) ?? kept.set(kind(address), []).get(kind(address));
    if (of.length >= most(kind(address))) continue;
    of.push(address);
    if (!/html/.test((await page.request.get(address)).headers()['content-type'] ?? '')) continue;
    await page.goto(address);
    for (const l of await links(page)) if (!seen.has(l) && seen.add(l)) queue.push(l);
  }
  await page.close();
  return [...kept.values()].flat();
}

async function look(page, address, view, texts) {
  const where = `${name} ${address.slice(base.length)} at ${view.width}, ${view.scheme}${view.script ? '' : ', no script'}`;
  const said = [];
  page.on('request', r => check(new URL(r.url()).host === new URL(base).host, `${where}: asks for ${r.url()}`));
  page.on('requestfailed', r => check(false, `${where}: cannot load ${r.url()}: ${r.failure()?.errorText}`));
  page.on('console', m => m.type() === 'error' && said.push(m.text()));
  page.on('pageerror', e => said.push(String(e)));
  page.on('dialog', d => { check(false, `${where}: a dialog says ${d.message()}`); d.dismiss(); });
  const answer = await page.goto(address, {waitUntil: 'load'});
  check(answer.ok(), `${where}: status ${answer.status()}`);
  check(/default-src 'none'/.test(answer.headers()['content-security-policy'] ?? ''), `${where}: no policy`);
  check(page.url().replace(/#.*/, '') === address, `${where}: went to ${page.url()}`);
  if (/html/.test(answer.headers()['content-type'])) {
    for (const f of await page.evaluate(alive)) check(false, `${where}: alive: ${f}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    check(width <= view.width, `${where}: ${width} pixels wide`);
    const text = await page.evaluate(() => document.body.innerText);
    const key = `${view.width}`;
    texts[key] ??= text;
    check(text.length > 0 && text === texts[key], `${where}: says something else`);
    if (view.script) await axe(page, where);
  }
  await page.screenshot({path: path.join(shots, `${name}-${kind(address)}-${view.n}-${view.width}-${view.scheme}${view.script ? '' : '-noscript'}.png`)});
  for (const s of said) check(false, `${where}: the console says ${s}`);
}

async function axe(page, where) {
  await page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });
  await page.evaluate(AXE);
  const found = await page.evaluate(values => globalThis.axe.run(document, {runOnly: {type: 'tag', values}, resultTypes: ['violations']}), RULES);
  check(found.passes.length > 0, `${where}: axe ran no rule`);
  for (const v of found.violations) check(false, `${where}: ${v.id} (${v.impact}): ${v.help}: ${v.nodes.slice(0, 3).map(x => x.target.join(' ')).join(', ')}`);
}

fs.mkdirSync(shots, {recursive: true});
const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS});
try {
  const first = await browser.newContext({httpCredentials: credentials});
  const addresses = await discover(first);
  await first.close();
  const numbers = {}, texts = {}, numbered = addresses.map(a => [a, numbers[kind(a)] = (numbers[kind(a)] ?? 0) + 1]);
  for (const view of VIEWS) {
    const context = await browser.newContext({
      viewport: {width: view.width, height: 900}, colorScheme: view.scheme, javaScriptEnabled: view.script, httpCredentials: credentials,
    });
    for (const [address, n] of numbered) {
      if (/atom|rss/.test(kind(address)) && view !== ONCE) continue;
      const page = await context.newPage();
      try {
        await look(page, address, {...view, n}, texts[address] ??= {});
      } catch (e) {
        check(false, `${name} ${address}: ${e}`);
      }
      await page.close();
    }
    await context.close();
  }
  check(addresses.length >= 12, `${name}: only ${addresses.length} pages were found`);
  console.log(`${failed ? 'FAIL' : 'PASS'} browser, ${name}: ${addresses.length} pages in ${VIEWS.length} views, ${checks} checks, ${failed} failed`);
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
