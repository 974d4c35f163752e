"""What a profile looks like without Bokeh: words, plain text, and a static HTML card."""
