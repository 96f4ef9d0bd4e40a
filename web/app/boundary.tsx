import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { words } from '../words/index.ts';

/** Shows a sentence instead of an empty screen when a page fails. After an update of the server its files have other names. */
export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="empty" role="alert">
        <p>{words.errors.broken}</p>
        <Button onClick={() => location.reload()}>{words.errors.reload}</Button>
      </div>
    );
  }
}
