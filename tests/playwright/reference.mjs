// What the endpoints of the browser group do, done by the real Playwright: one JSON line in, one JSON line out.
//
// Each operation is what the contract's reference does with Playwright for the endpoint of that name. An answer is {ok} or
// {error: type}. ABXD_PLAYWRIGHT is the folder that playwright-core is installed in, ABXD_CHROMIUM the browser's program.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(`${process.env.ABXD_PLAYWRIGHT}/`);
const { chromium } = require('playwright-core');

const browser = await chromium.launch({ executablePath: process.env.ABXD_CHROMIUM, args: ['--no-sandbox'] });
const context = await browser.newContext({ acceptDownloads: false });
const page = await context.newPage();
const logs = [];
page.on('console', message => logs.push([message.type(), message.text()]));
page.on('dialog', dialog => dialog.dismiss());

const noMatch = Object.assign(new Error('no element matches'), { name: 'ValueError' });

const size = image => [image.readUInt32BE(16), image.readUInt32BE(20)];

// A value as the contract's table has it, as JSON text. One that contains itself has none.
const json = value => {
  const path = new Set();
  const text = value => {
    if (value === undefined || value === null || typeof value === 'symbol' || typeof value === 'function') return 'null';
    if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
    if (typeof value === 'number') return !Number.isFinite(value) ? 'null' : Object.is(value, -0) ? '-0.0' : String(value);
    if (typeof value === 'string') return JSON.stringify(value);
    if (value instanceof Date) {
      const [day, time] = value.toISOString().slice(0, -1).split('T');
      return JSON.stringify(`${day} ${time.replace(/\.000$/, '').replace(/(\.\d{3})$/, '$1000')}+00:00`);
    }
    if (value instanceof RegExp) return JSON.stringify(String(value));
    if (value instanceof Error) return JSON.stringify(value.message);
    if (value instanceof URL) {
      // As Python takes it apart.
      const place = /^[^:]+:\/\/([^/?#]*)/.exec(value.href)?.[1] ?? '';
      return text([value.protocol.slice(0, -1), place, value.pathname, '', value.search.slice(1), value.hash.slice(1)]);
    }
    if (path.has(value)) throw new Error('the value contains itself');
    path.add(value);
    const isList = Array.isArray(value) || ArrayBuffer.isView(value);
    const made = isList
      ? `[${Array.from(value, text).join()}]`
      : `{${Object.keys(value).map(name => `${JSON.stringify(name)}:${text(value[name])}`).join()}}`;
    path.delete(value);
    return made;
  };
  return text(value);
};

const operations = {
  async navigate({ url, wait_until = 'networkidle', timeout = 30000 }) {
    const answer = await page.goto(url, { waitUntil: wait_until, timeout });
    return { url: page.url(), title: await page.title(), status: answer?.status() ?? 0 };
  },

  async click({ selector, timeout = 5000 }) {
    await page.click(selector, { timeout });
    return null;
  },

  async type({ selector, text, clear = false, delay = 50 }) {
    if (clear) await page.fill(selector, '');
    await page.type(selector, text, { delay });
    return null;
  },

  async content({ type = 'html' }) {
    const content = type === 'text' ? await page.innerText('body') : await page.content();
    return { content, url: page.url(), title: await page.title() };
  },

  async evaluate({ script }) {
    const source = /^(async\s+)?function\b/.test(script.trim()) ? `(${script.trim()})` : script;
    const value = await page.evaluate(source => {
      const value = (0, eval)(source);
      return typeof value === 'function' ? value() : value;
    }, source);
    // Text, so that integers of any size arrive.
    return json(value);
  },

  async screenshot({ selector, full_page = true }) {
    if (!selector) return { size: size(await page.screenshot({ fullPage: full_page })), width: 1280, height: 720 };
    const element = await page.$(selector);
    if (!element) throw noMatch;
    const image = await element.screenshot();
    const box = await element.boundingBox();
    return { size: size(image), width: Math.trunc(box.width), height: Math.trunc(box.height) };
  },

  async pdf({ format = 'A4', landscape = false }) {
    const document = await page.pdf({ format, landscape });
    return Math.max(1, document.toString('latin1').split('/Type /Page').length - 1);
  },

  async console() {
    return logs.splice(0);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { operation, body } = JSON.parse(line);
  let answer;
  try {
    answer = { ok: await operations[operation](body) };
  } catch (cause) {
    answer = { error: cause.name, message: cause.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
