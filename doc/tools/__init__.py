"""What the documentation is made with: pictures, formulas, and checks of pages."""
