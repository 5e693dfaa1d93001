import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { Boundary, ConfirmWrite, Problem, Skeleton } from './parts/basics.tsx';
import { Dialog } from './parts/dialog.tsx';
import { Frame } from './parts/frame.tsx';
import { Toasts } from './parts/toasts.tsx';
import { isDown } from './state/connection.ts';
import { keepFocus, startKeys } from './state/keys.ts';
import { startLive } from './state/live.ts';
import { config, loadConfig } from './state/service.ts';

function App() {
  useEffect(() => {
    loadConfig().then(startLive);
    startKeys();
    keepFocus();
  }, []);
  if (!config.value)
    return isDown.value ? (
      <Problem error="The service does not respond. This page continues when it is back." />
    ) : (
      <Skeleton />
    );
  return (
    <>
      <Frame />
      <ConfirmWrite />
      <Dialog />
      <Toasts />
    </>
  );
}

const root = document.getElementById('app');
if (root)
  render(
    <Boundary>
      <App />
    </Boundary>,
    root,
  );
