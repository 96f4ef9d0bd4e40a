import type { ReactNode } from 'react';
import { PageHead } from '../../parts/page-head.tsx';
import { words } from '../../words/index.ts';

export default function PlaceholderPage(): ReactNode {
  return <PageHead title={words.nav.monitors} />;
}
