// A person at xterm.js in a real browser, at a terminal of a running server.
//
//     node terminal.mjs SOCKET_URL FOLDER
//
// SOCKET_URL leads to a session with bash whose working directory is FOLDER. What is looked at is the text in the buffer of
// xterm.js. Exit code 0 if all is as it should be. ABXD_PLAYWRIGHT is the folder that playwright-core and @xterm/xterm are
// installed in; the browser is ABX_BROWSER_BIN, else what the server would find.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

const require = createRequire(`${process.env.ABXD_PLAYWRIGHT}/`);
const { chromium } = require('playwright-core');
const [url, folder] = process.argv.slice(2);
const PATIENCE = 30_000;

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'headless_shell'];
const program = process.env.ABX_BROWSER_BIN
  || NAMES.flatMap(name => process.env.PATH.split(delimiter).map(folder => join(folder, name))).find(existsSync);

const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.setContent('<!doctype html><div id="terminal"></div>');
await page.addStyleTag({ path: require.resolve('@xterm/xterm/css/xterm.css') });
await page.addScriptTag({ path: require.resolve('@xterm/xterm') });

await page.evaluate(() => {
  window.term = new Terminal({ cols: 80, rows: 24, scrollback: 100_000 });
  term.open(document.getElementById('terminal'));
  const send = message => { if (window.socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); };
  term.onData(data => send({ type: 'input', data }));
  term.onResize(({ cols, rows }) => send({ type: 'resize', cols, rows }));
  window.events = [];
  window.attach = url => new Promise((resolve, reject) => {
    window.socket = new WebSocket(url);
    socket.onerror = reject;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'output') term.write(message.data);
      else events.push(message.event);
      if (message.event === 'started') resolve();
    };
  });
  // The lines of the buffer that is shown, those that were wrapped as one.
  window.lines = () => {
    const buffer = term.buffer.active, lines = [];
    for (let at = 0; at < buffer.length; at += 1) {
      const line = buffer.getLine(at);
      const text = line.translateToString(!buffer.getLine(at + 1)?.isWrapped);
      if (line.isWrapped) lines[lines.length - 1] += text;
      else lines.push(text);
    }
    return lines;
  };
});

const attach = () => page.evaluate(url => attach(url), url);
const lines = () => page.evaluate(() => lines());

// Wait for a line; what is shown then.
const sees = async wanted => {
  await page.waitForFunction(wanted => lines().includes(wanted), wanted, { timeout: PATIENCE, polling: 20 })
    .catch(async () => assert.fail(`no line ${JSON.stringify(wanted)} in ${JSON.stringify((await lines()).slice(-40))}`));
  return lines();
};
const type = async text => {
  await page.focus('.xterm-helper-textarea');
  await page.keyboard.type(text);
};
const enter = async text => { await type(text); await page.keyboard.press('Enter'); };
const isAlternate = () => page.evaluate(() => term.buffer.active.type === 'alternate');
const becomes = alternate =>
  page.waitForFunction(alternate => (term.buffer.active.type === 'alternate') === alternate, alternate, { timeout: PATIENCE });

// Typing, and what a shell does with keys.
await attach();
await enter("PS1='> '; echo be''gin");
await sees('begin');
await enter('echo "h\u00e9llo \u4f60\u597d"');
await sees('h\u00e9llo \u4f60\u597d');
await type('echo wrogn');
for (const _ of 'ogn') await page.keyboard.press('Backspace');
await enter('ong; sleep 1000');
await sees('wrong');
await page.keyboard.press('Control+C');
await enter("echo af''ter");
await sees('after');

// A size, and a program that draws a screen of that size.
await page.evaluate(() => term.resize(100, 30));
await enter('stty size');
await sees('30 100');
await enter('seq 1 500 | less');
await becomes(true);
await sees('29');
assert.deepEqual((await lines()).slice(0, 29), Array.from({ length: 29 }, (_, at) => String(at + 1)));
await page.keyboard.type('G');
await sees('500');
assert.equal((await lines()).at(-2), '500');
await page.evaluate(() => term.resize(60, 12));
await page.keyboard.type('g');
await sees('11');
assert.deepEqual((await lines()).slice(0, 11), Array.from({ length: 11 }, (_, at) => String(at + 1)));
await page.keyboard.type('q');
await becomes(false);
await enter("echo ba''ck");
await sees('back');

// A client that comes again, to a screen that is empty.
await page.evaluate(() => new Promise(resolve => { socket.onclose = resolve; socket.close(); }));
await page.evaluate(() => { term.reset(); term.resize(100, 30); });
assert.deepEqual((await lines()).filter(line => line), []);
await attach();
await page.evaluate(() => term.resize(101, 31));
const again = await sees('back');
for (const shown of ['begin', 'h\u00e9llo \u4f60\u597d', 'wrong', 'after', '30 100']) assert(again.includes(shown), shown);
await enter('stty size');
await sees('31 101');

// A megabyte that is pasted into a program that takes every byte as it is.
const paste = Array.from({ length: 1_000_000 }, (_, at) => String.fromCharCode(97 + at % 26)).join('');
await enter(`stty raw -echo; echo re''ady; head -c ${paste.length} >pasted; stty sane; printf '\\rpas''ted\\n'`);
await sees('ready');
await page.evaluate(paste => term.paste(paste), paste);
await sees('pasted');
assert(readFileSync(`${folder}/pasted`, 'utf8') === paste);

// The end.
await enter('exit 3');
await page.waitForFunction(() => events.at(-1) === 'exited', undefined, { timeout: PATIENCE });
assert.deepEqual(await page.evaluate(() => events), ['started', 'started', 'exited']);
assert.equal(await isAlternate(), false);
await browser.close();
