import type { ErrorInfo, ReactNode } from 'react';
import { Component } from 'react';

interface IBoundaryProps {
  /** Sentence shown instead of what could not be drawn. */
  readonly message: string;
  /** What is drawn; when it is another, drawing is tried again. */
  readonly subject?: string;
  readonly children: ReactNode;
}

interface IBoundaryState {
  readonly failed: boolean;
  readonly subject: string | undefined;
}

/** Keeps an error in one card from leaving an empty output. */
export class Boundary extends Component<IBoundaryProps, IBoundaryState> {
  override state: IBoundaryState = {
    failed: false,
    subject: this.props.subject
  };

  static getDerivedStateFromError(): Partial<IBoundaryState> {
    return { failed: true };
  }

  static getDerivedStateFromProps(
    { subject }: IBoundaryProps,
    state: IBoundaryState
  ): IBoundaryState | null {
    return subject === state.subject ? null : { failed: false, subject };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error('Failed to draw a profile.', error, info.componentStack);
  }

  override render(): ReactNode {
    return this.state.failed ? (
      <p className="jp-MlprofCard-refusal">{this.props.message}</p>
    ) : (
      this.props.children
    );
  }
}
