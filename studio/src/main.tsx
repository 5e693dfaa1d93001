import './state/language.ts';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { ConfirmWrite, Skeleton } from './parts/basics.tsx';
import { Frame } from './parts/frame.tsx';
import { Toasts } from './parts/toasts.tsx';
import { startKeys } from './state/keys.ts';
import { startLive } from './state/live.ts';
import { config, loadConfig } from './state/service.ts';

function App() {
  useEffect(() => {
    loadConfig().then(startLive);
    startKeys();
  }, []);
  if (!config.value) return <Skeleton />;
  return (
    <>
      <Frame />
      <ConfirmWrite />
      <Toasts />
    </>
  );
}

const root = document.getElementById('app');
if (root) render(<App />, root);
