import { build } from 'esbuild';
import { compile } from 'svelte/compiler';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePages } from '../support/browser.ts';
import { builtClient } from '../support/built-client.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { openPage, useBrowser } from '../support/test-browser.ts';

/** Sets what a page gets from its address: the user arrives later than the elements do. */
const START = `
import 'notification-delivery-client/inbox';
const { url, key, env } = Object.fromEntries(new URLSearchParams(location.search));
const count = (event) => (document.title = 'unread ' + event.detail);
`;

/** The same page in each framework: both elements, attributes that change, and a listener. */
const PAGES = {
  'React 19': `${START}
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
function App() {
  const [user, setUser] = useState('');
  const common = { 'base-url': url, 'public-key': key, 'user-id': user };
  return createElement('main', null,
    createElement('button', { onClick: () => setUser('ada') }, 'Sign in'),
    createElement('notification-inbox', { ...common, 'socket-url': url, 'env-id': env, 'onunread-change': count }),
    createElement('notification-preferences', common));
}
createRoot(document.getElementById('root')).render(createElement(App));`,
  Vue: `${START}
import { createApp, h, ref } from 'vue';
createApp({
  setup() {
    const user = ref('');
    return () => {
      const common = { 'base-url': url, 'public-key': key, 'user-id': user.value };
      return h('main', [
        h('button', { onClick: () => (user.value = 'ada') }, 'Sign in'),
        h('notification-inbox', { ...common, 'socket-url': url, 'env-id': env, onUnreadChange: count }),
        h('notification-preferences', common),
      ]);
    };
  },
}).mount('#root');`,
  Svelte: `<svelte:options runes={true} />
<script>${START}
let user = $state('');
</script>
<main>
  <button onclick={() => (user = 'ada')}>Sign in</button>
  <notification-inbox base-url={url} public-key={key} user-id={user} socket-url={url} env-id={env}
    onunread-change={count}></notification-inbox>
  <notification-preferences base-url={url} public-key={key} user-id={user}></notification-preferences>
</main>`,
} as const;

let service: LocalRun;
const browser = useBrowser();

beforeAll(async () => {
  await builtClient();
  service = await startLocalRun();
  await service.request('/types', {
    notificationId: 'comment',
    title: 'Comment',
    channels: ['EMAIL', 'INAPP_WEB'],
  });
});

afterAll(async () => {
  await service?.stop();
});

async function bundle(name: string, source: string): Promise<string> {
  const isSvelte = name === 'Svelte';
  const component = isSvelte ? compile(source, { generate: 'client', dev: false }).js.code : '';
  const start = `import { mount } from 'svelte'; import App from 'component'; mount(App, { target: document.getElementById('root') });`;
  const { outputFiles } = await build({
    stdin: { contents: isSvelte ? start : source, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
    conditions: ['svelte', 'browser'],
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [
      {
        name: 'component',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^component$/ }, () => ({ path: 'component', namespace: 'svelte' }));
          onLoad({ filter: /.*/, namespace: 'svelte' }, () => ({
            contents: component,
            resolveDir: import.meta.dirname,
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

it.each(Object.entries(PAGES))(
  '%s renders, updates and receives events from both elements',
  async (name, source) => {
    await service.request('/users/ada/preferences', [
      { notificationId: 'comment', channel: 'EMAIL', delivery: 'instant' },
    ]);
    const query = new URLSearchParams({
      url: service.baseUrl,
      key: service.publicKey,
      env: service.environmentId,
    });
    const html = '<!doctype html><div id="root"></div><script src="/main.js"></script>';
    const site = await servePages({ [`/?${query}`]: html, '/main.js': await bundle(name, source) });
    const page = await openPage(browser);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${site.origin}/?${query}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const row = page.getByRole('group', { name: 'Comment' });
    await row.getByRole('switch', { name: 'Email' }).uncheck();
    await expect
      .poll(async () => (await service.request('/users/ada/preferences')).json.preferences)
      .toEqual([expect.objectContaining({ channel: 'EMAIL', delivery: 'off' })]);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await service.request('/send', { type: 'comment', to: { id: 'ada' }, inapp: { title: `From ${name}` } });
    await page.locator('.entry', { hasText: `From ${name}` }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^unread \d+$/);
    expect(errors).toEqual([]);
    await page.close();
    site.close();
  },
);
