// torture.mjs ATTACKS DIR: writes feeds that carry every attack string in every place a feed has for text, in scripts of the world, with
// words that never end and a story told by forty outlets; and a configuration that publishes all of it.
import fs from 'node:fs';
import path from 'node:path';

const [list, dir] = process.argv.slice(2);
const attacks = fs.readFileSync(list, 'utf8').trim().split('\n').map(l => JSON.parse(l));
fs.mkdirSync(dir, {recursive: true});

const xml = s => s.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"']/g, c => `&#${c.codePointAt(0)};`);
const when = n => new Date(Date.UTC(2026, 10, 2, 8, 0, n)).toUTCString();

function rss(title, items) {
  const one = i => `<item><title>${xml(i.title)}</title><link>${xml(i.link)}</link><guid isPermaLink="false">${xml(i.link)}</guid>
<pubDate>${when(i.n)}</pubDate><dc:creator>${xml(i.title)}</dc:creator><category>${xml(i.title)}</category><category>Torture</category>
<description>${xml(i.text)}</description><content:encoded>${xml(`<p>${i.text}</p><p>${i.title}</p>`)}</content:encoded></item>`;
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>${xml(title)}</title><link>https://torture.example/</link><description>${xml(title)}</description>${items.map(one).join('\n')}</channel></rss>`;
}

const words = [
  'שלום עולם: ראש הממשלה נפגש עם ראש העיר בנמל', 'مرحبا بالعالم: افتتاح الجسر القديم في المدينة', '朝日新聞:速報です。橋が再び開通しました', '한국어 제목: 다리가 다시 열렸다', '🚢💥🌉 👩‍👧‍👦 ferry and bridge',
  'R&D at AT&T: "5 < 6" & \'so on\'', `${'Donaudampfschifffahrtsgesellschaft'.repeat(8)}`, `https://very.long.example/${'segment/'.repeat(40)}`, 'Ünïcödé ​ zero­width', '<b>bold</b> &amp; &lt;i&gt;',
];
const hostile = attacks.map((a, n) => ({n, title: a, text: `${a} Report ${n} of the harbor of Orlin ${a}`, link: n % 3 ? `https://torture.example/${n}?q=${a}` : `https://torture.example/${n}`}));
const scripts = words.map((w, n) => ({n: 100 + n, title: w, text: `${w}. ${w}.`, link: `https://world.example/${n}`}));
const shared = n => ({n: 200 + n, title: 'Old lighthouse at Cape Orrin gives up a diary of the great storm', link: `https://crowd${n}.example/diary`,
  text: 'Builders repairing the old lighthouse at Cape Orrin have found a diary behind a wall, the trust that owns the building said on Friday. In it the keeper, Josef Pell, describes the great storm of 1871 hour by hour until the ink runs out and the lamp fails.'});

const feeds = {};
attacks.forEach((a, i) => { feeds[`named${i}.rss`] = rss(a, [hostile[i]]); });
feeds['scripts.rss'] = rss('World & more', scripts);
for (let n = 0; n < 40; n++) feeds[`crowd${n}.rss`] = rss(`Crowd & Sons ${n} ${n % 5 ? '' : '<b>'}`, [shared(n)]);
feeds['links.json'] = JSON.stringify({version: 'https://jsonfeed.org/version/1.1', title: attacks[0], items: attacks.map((a, n) => ({
  id: `j${n}`, url: n % 2 ? `javascript:alert(${n})` : `data:text/html,${a}`, title: `Seen ${n} ${a}`, content_html: a, image: 'https://evil.example/i.png', authors: [{name: a, url: 'javascript:alert(1)'}], tags: [a],
  date_published: new Date(Date.UTC(2026, 10, 2, 7, 0, n)).toISOString()}))});
for (const [name, body] of Object.entries(feeds)) fs.writeFileSync(path.join(dir, name), body);
fs.writeFileSync(path.join(dir, 'config.yaml'), `listen: 127.0.0.1:8080
schedule: "@yearly"
publish: {base_url: "http://127.0.0.1:8080", title: "Torture & <more>"}
editors: {token: 0123456789abcdef}
channels:
  - {name: stories, title: "All <b>stories</b>", settle: '0', size: 500}
  - {name: crowded, title: "Crowded & \\"quoted\\"", settle: '0', min_outlets: 2}
feeds:
${Object.keys(feeds).map(f => `  - url: file:${f}`).join('\n')}
`);
