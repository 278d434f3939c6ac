import { Component, type ReactNode } from 'react'
import { ErrorBox } from './states.tsx'

/** Keeps one page's failure to itself: the rest goes on, and the page can be tried again. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return <ErrorBox error={this.state.error} retry={() => this.setState({ error: undefined })} />
  }
}
